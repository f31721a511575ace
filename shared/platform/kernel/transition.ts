/** A number below a limit; with `orNull`, null is allowed, too. */
export interface Below {
  readonly below: number;
  readonly orNull?: true;
}

/** Expects a stored number below `limit`. */
export const below = (limit: number): Below => ({ below: limit });

/** Expects no stored number, or one below `limit`. */
export const nullOrBelow = (limit: number): Below => ({ below: limit, orNull: true });

type Scalar = string | number | boolean | null;
export type Expectation = Scalar | readonly Scalar[] | Below;

/** A conditional change of a stored item: the values that it must have, and the values to set. */
export interface Transition<T> {
  /** The stored value must equal a value, be in a list, or be below a limit (or null, with `orNull`). */
  readonly expect: { readonly [K in keyof T]?: Expectation };
  readonly set: Partial<T>;
}
