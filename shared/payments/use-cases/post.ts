import type { Business } from '#shared/businesses/domain/business.ts';
import type { Ledger, LedgerEntry, RecordResult } from '#shared/payments/ports.ts';
import type { Decision } from '#shared/platform/commit.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { EventType } from '#shared/webhooks/domain/event.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import { announcement, sendNow } from '#shared/webhooks/use-cases/announce.ts';

export interface PostDeps extends Pick<Runtime, 'now' | 'newId'> {
  readonly ledger: Ledger;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

/** The writes of one transaction, and the events that announce them to a business. */
export interface Posting {
  readonly business: Business;
  readonly mode: Mode;
  readonly entries: Omit<LedgerEntry, 'announced'>;
  readonly events: readonly { readonly type: EventType; readonly data: unknown }[];
}

const announce = (deps: PostDeps, { business, mode, entries, events }: Posting) => {
  const announced = events.map(({ type, data }) => announcement(deps, business, mode, type, data));
  const entry: LedgerEntry = { ...entries, announced };
  return { entry, deliveries: announced.flatMap(({ deliveries }) => deliveries) };
};

/** Writes a posting in one transaction, then queues its deliveries. For any result but `recorded`, nothing was written. */
export const post = async (deps: PostDeps, posting: Posting): Promise<RecordResult> => {
  const { entry, deliveries } = announce(deps, posting);
  const recorded = await deps.ledger.record(entry);
  if (recorded === 'recorded') await sendNow(deps, deliveries);
  return recorded;
};

/** Converts a posting to a decision, which commit.ts writes together with the answer to the request. */
export const decidePosting = <T>(deps: PostDeps, posting: Posting, result: T): Decision<T> => {
  const { entry, deliveries } = announce(deps, posting);
  return { result, writes: deps.ledger.buildWrites(entry), afterwards: () => sendNow(deps, deliveries) };
};
