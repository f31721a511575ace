/** Requests a second that api-decisions.md section 1 promises, on every stage and on a laptop. */
export const DEFAULT_RATE_LIMITS = { live: 100, test: 25, publicAddress: 10 };
