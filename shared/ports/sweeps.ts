import type { Mode } from '#shared/domain/kernel/mode.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';

/** One entry of the due-work index. `position`: its place in its shard. */
export type DueWork = { readonly mode: Mode; readonly dueAt: Millis; readonly position: string } & (
  | { readonly kind: 'delivery'; readonly eventId: string; readonly endpointId: string }
  | { readonly kind: 'checkout'; readonly reference: string }
  | { readonly kind: 'virtual_account'; readonly id: string }
  | { readonly kind: 'breaker'; readonly endpointId: string }
  | { readonly kind: 'notification'; readonly provider: ProviderName; readonly hash: string }
  | { readonly kind: 'unmatched' /** Where its store finds it. */; readonly at: string }
  | { readonly kind: 'notice'; readonly id: string }
  | { readonly kind: 'review' /** Where its store finds the payment. */; readonly at: string }
);

/** Live due work that cannot wait, in two families, so that a slow provider never delays a webhook. */
export type HighPriorityFamily = 'deliveries' | 'payments';
/** What waits for the work of high priority in a sweep: reviews, which have days, notices, which have a function of their own, and all of test mode. */
export type LowPriorityFamily = 'reviews' | 'notices' | `test_${HighPriorityFamily}`;
/** The families of due work. Each has partitions of its own, so that however much of one is due, no other is behind it. */
export type DueFamily = HighPriorityFamily | LowPriorityFamily;

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
