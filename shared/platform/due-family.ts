/** Live due work that cannot wait. It has two families, so that a slow provider never delays a webhook. */
export type HighPriorityFamily = 'deliveries' | 'payments';
/**
 * Due work that a sweep does last: reviews, which have days of time; notices and after them summaries, which have a function of their own;
 * and everything in test mode.
 */
export type LowPriorityFamily = 'reviews' | 'notices' | 'summaries' | `test_${HighPriorityFamily}`;
/** The families of due work. Each has partitions of its own, so that no family waits behind another. */
export type DueFamily = HighPriorityFamily | LowPriorityFamily;
