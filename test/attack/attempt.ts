/** What one attempt of the attacker came to. */
export interface Attempt {
  readonly door: string;
  readonly attempt: string;
  /** What it cost whoever attacks. */
  readonly cost: string;
  /** What it cost the service, or whoever was meant to suffer. */
  readonly harm: string;
}

/** Milliseconds, in whole ones. */
export const ms = (value: number): string => `${Math.round(value)} ms`;
