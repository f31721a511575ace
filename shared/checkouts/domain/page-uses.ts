/** An action that anybody with the payment page's link may trigger. */
export type PageUse = 'report' | 'simulation';

/**
 * Use limit of each action: how often it may be triggered in the whole life of a checkout. A report asks a provider, so a payer who presses
 * the button again and again must not use up the provider quota. A simulation sends webhooks to the business.
 */
export const PAGE_USES: Readonly<Record<PageUse, number>> = { report: 20, simulation: 50 };
