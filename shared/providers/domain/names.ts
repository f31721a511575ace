/**
 * The names of the live providers (api-decisions.md section 3), in the order in which they are shown. The tables of shared/providers
 * describe each. They are apart and plain, because functions that call no provider and the dashboard's page load them too.
 */
export const PROVIDERS = ['paystack', 'monnify', 'korapay'] as const;
