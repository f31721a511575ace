import { setTimeout as wait } from 'node:timers/promises';
import { type Client, inParallel } from '#test/bench/requests.ts';
import { askFor, listAll } from './asking.ts';
import type { LoadMerchant } from './merchants.ts';

/* After the measured time every endpoint is healthy again, and merchants have missed events sent again by `recover` and `redeliver` (api-decisions.md section 5). */

/** How many deliveries merchants had sent again, and how many milliseconds passed until none was waiting. */
export interface Recovery {
  recovered: number;
  redelivered: number;
  ms: number;
}

const MAX_CONCURRENT = 8;
/** Milliseconds after which waiting ends; the comparison then finds what is missing. Long, for slow machines. */
const WITHIN_MS = 180_000;
const LOOK_AGAIN_MS = 500;
/** Milliseconds: a retry that is due sooner is not redelivered by hand. */
const SOON_MS = 3_000;
/** Milliseconds between two calls of recover. Each restarts the drain two seconds later, so it needs some time. */
const RECOVER_AGAIN_MS = 10_000;

/** Disables a merchant's endpoints, as the service does when one answers 410 for an hour. */
export const switchOff = async (client: Client, merchant: LoadMerchant): Promise<void> => {
  for (const { issued } of merchant.hooks) {
    if (issued?.types.includes('*') !== true) continue;
    const path = `/webhook-endpoints/${issued.id}`;
    await askFor(client, merchant, { method: 'PATCH', path, body: { enabled: false } }, 200);
    merchant.switchedOff.add(issued.id);
  }
};

interface Waiting {
  readonly id: string;
  readonly deliveries: readonly {
    readonly endpoint_id: string;
    readonly status: string;
    readonly next_attempt_at: string | null;
  }[];
}

/** Sends a merchant's waiting deliveries since a time again, until none waits. */
const recover = async (client: Client, merchant: LoadMerchant, since: Date, counts: Recovery): Promise<void> => {
  const waiting = (status: string) => listAll(client, merchant, '/events', `&delivery_status=${status}`);
  const toAllEvents = merchant.hooks.filter(({ issued }) => issued?.types.includes('*'));
  for (const hook of toAllEvents) await hook.recover();
  for (const id of merchant.switchedOff) {
    const path = `/webhook-endpoints/${id}`;
    await askFor(client, merchant, { method: 'PATCH', path, body: { enabled: true } }, 200);
  }
  const deadline = Date.now() + WITHIN_MS;
  let recoveredAt = 0;
  while (Date.now() < deadline) {
    const held = [...(await waiting('parked')), ...(await waiting('exhausted'))];
    if (held.length > 0 && Date.now() - recoveredAt > RECOVER_AGAIN_MS) {
      recoveredAt = Date.now();
      for (const { issued } of toAllEvents) {
        const path = `/webhook-endpoints/${issued?.id}/recover`;
        const body = { since: since.toISOString() };
        const { data } = await askFor(client, merchant, { method: 'POST', path, body }, 202);
        counts.recovered += data.recovered;
      }
    }
    const pending = await waiting('pending');
    for (const { id } of pending) {
      const { data }: { data: Waiting } = await askFor(client, merchant, { method: 'GET', path: `/events/${id}` }, 200);
      for (const { endpoint_id, status, next_attempt_at } of data.deliveries) {
        const isFarOff = status === 'pending' && Date.parse(next_attempt_at ?? '') > Date.now() + SOON_MS;
        if (!isFarOff) continue;
        const asked = { method: 'POST', path: `/events/${id}/redeliver`, body: { endpoint_id } } as const;
        // 409: it is being delivered already.
        const answer = await askFor(client, merchant, asked, 202, 409);
        counts.redelivered += answer.status ? 1 : 0;
      }
    }
    if (held.length + pending.length + (await waiting('delivering')).length === 0) return;
    await wait(LOOK_AGAIN_MS);
  }
};

/** Lets every endpoint recover and receive what it missed since a time. What still waits after minutes is left for the comparison to find. */
export const recoverAll = async (
  client: Client,
  merchants: readonly LoadMerchant[],
  since: Date,
): Promise<Recovery> => {
  const counts = { recovered: 0, redelivered: 0, ms: 0 };
  const startedAt = performance.now();
  await inParallel(merchants.length, MAX_CONCURRENT, async (i) => {
    const merchant = merchants[i];
    if (merchant) await recover(client, merchant, since, counts);
  });
  return { ...counts, ms: performance.now() - startedAt };
};
