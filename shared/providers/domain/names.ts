/**
 * The names of the live providers, in display order. descriptions.ts describes each. This file imports nothing, because functions that call
 * no provider and the dashboard's page load it too.
 */
export const PROVIDERS = ['paystack', 'monnify', 'korapay'] as const;
