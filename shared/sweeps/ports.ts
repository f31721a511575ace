import type { ReconciliationId } from '#shared/payments/domain/reconciliation.ts';
import type { MoneyLane } from '#shared/payments/ports.ts';
import type { DueFamily } from '#shared/platform/due-family.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** One entry of the due-work index. `position`: its place in its shard; `pk` and `sk`: its item. */
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
  | { readonly kind: 'unmatched' /** Where its store finds it. */; readonly at: string }
  | { readonly kind: 'notice'; readonly id: string }
  | { readonly kind: 'summary'; readonly businessId: string }
  | { readonly kind: 'review' /** Where its store finds the payment. */; readonly at: string }
);

/** Due work with the queue that it goes to, and its group there: its business, as far as that is known. */
export interface AddressedWork {
  readonly kind: DueWork['kind'];
  readonly ticket: DueTicket;
  readonly lane: MoneyLane;
  readonly group: string;
}

/** Due work on its way to a consumer. */
export interface DueTickets {
  /** Finds where due work of money goes. What is gone meanwhile, or cannot be read, is left out. */
  address(works: readonly DueWork[]): Promise<readonly AddressedWork[]>;
  /**
   * Takes the work of a ticket until a moment (milliseconds since the epoch). Undefined where there is nothing to do: it is done, or due at
   * another time, or somebody else has taken it.
   */
  take(ticket: DueTicket, now: Millis, until: Millis): Promise<DueWork | undefined>;
  /** Has due work come back at `until`, unless it is done by then. The ticket to send; undefined where it changed since its entry was read. */
  postpone(due: DueTicket, until: Millis): Promise<DueTicket | undefined>;
  /** Has work that was postponed until then be due as it was before, unless it changed since. */
  giveBack(due: DueTicket, until: Millis): Promise<void>;
}

export interface DueIndex {
  readonly shards: number;
  /** What is due in a shard after a position, oldest first, at most `limit`. `next`: the position to continue after; null at the end. */
  due(
    family: DueFamily,
    shard: number,
    now: Millis,
    limit: number,
    after: string | null,
  ): Promise<{ readonly works: readonly DueWork[]; readonly next: string | null }>;
}
