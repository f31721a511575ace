/** A stored number below a limit; with `orNull` also a stored null. */
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

/** A conditional change of one stored item: what must hold when it is written, and what is then set. */
export interface Transition<T> {
  /** The stored value must equal a value, be in a list, or be below a limit (or null, with `orNull`). */
  readonly expect: { readonly [K in keyof T]?: Expectation };
  readonly set: Partial<T>;
}
