/** What whoever has a checkout's link may make its page do. */
export type PageUse = 'report' | 'simulation';

/**
 * How often, in a checkout's life. A report asks a provider, so a payer who presses a button without end must not use up what is allowed
 * for all. A simulation sends webhooks to its business.
 */
export const PAGE_USES: Readonly<Record<PageUse, number>> = { report: 20, simulation: 50 };
