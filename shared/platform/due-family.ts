/** Live due work that cannot wait, in two families, so that a slow provider never delays a webhook. */
export type HighPriorityFamily = 'deliveries' | 'payments';
/** What waits for the work of high priority in a sweep: reviews, which have days, notices and after them summaries, which have a function of their own, and all of test mode. */
export type LowPriorityFamily = 'reviews' | 'notices' | 'summaries' | `test_${HighPriorityFamily}`;
/** The families of due work. Each has partitions of its own, so that however much of one is due, no other is behind it. */
export type DueFamily = HighPriorityFamily | LowPriorityFamily;
