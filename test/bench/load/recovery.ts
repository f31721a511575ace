import { setTimeout as wait } from 'node:timers/promises';
import { type Client, inParallel } from '#test/bench/requests.ts';
import { askFor, listAll } from './asking.ts';
import type { LoadMerchant } from './merchants.ts';

/* After the measured time every endpoint is healthy again, and its merchant has sent what it missed, with the means of api-decisions.md section 5. */

/** What merchants had sent again by hand, and how long it took until nothing waited any more, in milliseconds. */
export interface Recovery {
  recovered: number;
  redelivered: number;
  ms: number;
}

const ABREAST = 8;
/** However slow the machine: what waits longer is for the books to find. */
const WITHIN_MS = 180_000;
const LOOK_AGAIN_MS = 500;
/** What is tried again sooner needs nobody's help. */
const SOON_MS = 3_000;
/** Each call to recover starts the drain anew, two seconds later: the next one must leave it its time. */
const RECOVER_AGAIN_MS = 10_000;

/** A merchant switches its endpoints off, as we do when one answers 410 for an hour. */
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

/** Has sent again what waits at one merchant's endpoints until nothing does. `since`: from when on. */
const recover = async (client: Client, merchant: LoadMerchant, since: Date, counts: Recovery): Promise<void> => {
  const waiting = (status: string) => listAll(client, merchant, '/events', `&delivery_status=${status}`);
  const standing = merchant.hooks.filter(({ issued }) => issued?.types.includes('*'));
  for (const hook of standing) await hook.recover();
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
      for (const { issued } of standing) {
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
        // 409: it is being delivered by now.
        const answer = await askFor(client, merchant, asked, 202, 409);
        counts.redelivered += answer.status ? 1 : 0;
      }
    }
    if (held.length + pending.length + (await waiting('delivering')).length === 0) return;
    await wait(LOOK_AGAIN_MS);
  }
};

/** Lets every endpoint recover and get what it missed since a time; what still waits after minutes is for the books to find. */
export const recoverAll = async (
  client: Client,
  merchants: readonly LoadMerchant[],
  since: Date,
): Promise<Recovery> => {
  const counts = { recovered: 0, redelivered: 0, ms: 0 };
  const startedAt = performance.now();
  await inParallel(merchants.length, ABREAST, async (i) => {
    const merchant = merchants[i];
    if (merchant) await recover(client, merchant, since, counts);
  });
  return { ...counts, ms: performance.now() - startedAt };
};
