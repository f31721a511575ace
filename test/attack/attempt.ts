/** The outcome of one attempt of the attacker. */
export interface Attempt {
  /** The part of the service that is attacked. */
  readonly door: string;
  readonly attempt: string;
  /** The attacker's cost. */
  readonly cost: string;
  /** The cost for the service, or for the intended victim. */
  readonly harm: string;
}

/** Formats milliseconds, rounded to a whole number. */
export const ms = (value: number): string => `${Math.round(value)} ms`;
