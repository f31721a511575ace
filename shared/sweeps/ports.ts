import type { ReconciliationId } from '#shared/payments/domain/reconciliation.ts';
import type { MoneyLane } from '#shared/payments/ports.ts';
import type { DueFamily } from '#shared/platform/due-family.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** An entry of the due-work index. `position`: its place in its shard. `pk` and `sk`: the key of its item. */
export type DueWork = {
  readonly family: DueFamily;
  readonly mode: Mode;
  readonly dueAt: Millis;
  readonly position: string;
  readonly pk: string;
  readonly sk: string;
} & (
  | { readonly kind: 'delivery'; readonly eventId: string; readonly endpointId: string }
  | { readonly kind: 'checkout'; readonly reference: string }
  | { readonly kind: 'virtual_account'; readonly id: string }
  | { readonly kind: 'sent_report'; readonly provider: ProviderName; readonly reference: string }
  | { readonly kind: 'breaker'; readonly endpointId: string }
  | { readonly kind: 'notification'; readonly provider: ProviderName; readonly hash: string }
  | ({ readonly kind: 'reconciliation' } & ReconciliationId)
  | { readonly kind: 'unmatched' /** The partition key by which its store finds it. */; readonly at: string }
  | { readonly kind: 'notice'; readonly id: string }
  | { readonly kind: 'summary'; readonly businessId: string }
  | { readonly kind: 'review' /** The partition key by which its store finds the payment. */; readonly at: string }
);

/** Due work with its queue, and with its group in that queue: usually its business (findGroup). */
export interface AddressedWork {
  readonly kind: DueWork['kind'];
  readonly ticket: DueTicket;
  readonly lane: MoneyLane;
  readonly group: string;
}

/** Hands due work to its consumers by tickets. */
export interface DueTickets {
  /** Finds the queue of each piece of due money work. Leaves out work that is gone meanwhile or cannot be read. */
  address(works: readonly DueWork[]): Promise<readonly AddressedWork[]>;
  /**
   * Takes the work of a ticket until a time (milliseconds since the epoch). Undefined if there is nothing to do: the work is done, or due at
   * another time, or another consumer has it.
   */
  take(ticket: DueTicket, now: Millis, until: Millis): Promise<DueWork | undefined>;
  /** Makes work due again at `until`, unless it is done by then. Returns the ticket to send; undefined if the work changed since it was read. */
  postpone(due: DueTicket, until: Millis): Promise<DueTicket | undefined>;
  /** Undoes a postponement, so that the work is due as before, unless it changed since. */
  giveBack(due: DueTicket, until: Millis): Promise<void>;
}

export interface DueIndex {
  readonly shards: number;
  /** Reads the due work of a shard after a position, oldest first, at most `limit`. `next`: the position to continue after; null at the end. */
  due(
    family: DueFamily,
    shard: number,
    now: Millis,
    limit: number,
    after: string | null,
  ): Promise<{ readonly works: readonly DueWork[]; readonly next: string | null }>;
}
