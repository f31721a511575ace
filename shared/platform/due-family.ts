/** Live due work that cannot wait. It has two families, so that a slow provider never delays a webhook. */
export type HighPriorityFamily = 'deliveries' | 'payments';
/** Due work that a sweep does last: reviews, which have days; notices, and after them summaries, in a function of their own; all of test mode. */
export type LowPriorityFamily = 'reviews' | 'notices' | 'summaries' | `test_${HighPriorityFamily}`;
/** The families of due work. Each has partitions of its own, so that no family waits behind another. */
export type DueFamily = HighPriorityFamily | LowPriorityFamily;
