/** Holds while the stored number is smaller; with `orNull` also while there is none. */
export interface Below {
  readonly below: number;
  readonly orNull?: true;
}

/** A condition that the stored number be smaller than `limit`. */
export const below = (limit: number): Below => ({ below: limit });

/** A condition that there be no number yet, or one smaller than `limit`. */
export const nullOrBelow = (limit: number): Below => ({ below: limit, orNull: true });

type Scalar = string | number | boolean | null;
export type Expectation = Scalar | readonly Scalar[] | Below;

/** A change of one stored item that owns its condition: what must hold at the moment of writing, and what is then set. */
export interface Transition<T> {
  /** A value must be equal, a list must contain the stored value, `below` must exceed it (or find null, where it says so). */
  readonly expect: { readonly [K in keyof T]?: Expectation };
  readonly set: Partial<T>;
}
