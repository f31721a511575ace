import { openShop, type Shop } from './live-steps.ts';
import { type LiveWorld, makeLiveWorld } from './live-world.ts';

/* Each test of a file that imports these has a world of its own, with one shop in it. */

export let world: LiveWorld;
export let shop: Shop;

/** Opens them, or others for the rest of a test. */
export const openWorld = async (options?: Parameters<typeof makeLiveWorld>[0]): Promise<void> => {
  world = await makeLiveWorld(options);
  shop = await openShop(world);
};

beforeEach(() => openWorld());
afterEach(() => world.stop());

/** A checkout as its business sees it. */
export const shown = async (reference: string) => (await shop.api.verify(reference)).json.data;

/** The payments of a checkout as its business sees them, the newest first. */
export const paymentsOf = async (reference: string): Promise<readonly string[]> =>
  (await shown(reference)).payments.map(
    ({ amount, outcome }: { amount: number; outcome: string }) => `${amount} ${outcome}`,
  );
