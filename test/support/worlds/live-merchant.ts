import { type LiveMerchant, openMerchant } from './live-steps.ts';
import { type LiveWorld, makeLiveWorld } from './live-world.ts';

export let world: LiveWorld;
export let merchant: LiveMerchant;

/** Makes a new world and merchant; a test may call it again for other options. */
export const openWorld = async (options?: Parameters<typeof makeLiveWorld>[0]): Promise<void> => {
  world = await makeLiveWorld(options);
  merchant = await openMerchant(world);
};

/** Gives every test of a file a world of its own, with one merchant in it: `world` and `merchant`. */
export const openWorldForEachTest = (): void => {
  beforeEach(() => openWorld());
  afterEach(() => world.stop());
};

/** A checkout as its business sees it. */
export const fetchCheckout = async (reference: string) => (await merchant.api.verify(reference)).json.data;

/** The payments of a checkout as its business sees them, newest first, as `<naira> <outcome>`. */
export const paymentsOf = async (reference: string): Promise<readonly string[]> =>
  (await fetchCheckout(reference)).payments.map(
    ({ amount, outcome }: { amount: number; outcome: string }) => `${amount} ${outcome}`,
  );
