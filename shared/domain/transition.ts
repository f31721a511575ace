/** Holds while the stored number is smaller. */
export interface Below {
  readonly below: number;
}

/** A condition that the stored number be smaller than `limit`. */
export const below = (limit: number): Below => ({ below: limit });

type Scalar = string | number | boolean | null;
export type Expectation = Scalar | readonly Scalar[] | Below;

/** A change of one stored item that owns its condition: what must hold at the moment of writing, and what is then set. */
export interface Transition<T> {
  /** A value must be equal, a list must contain the stored value, `below` must exceed it. */
  readonly expect: { readonly [K in keyof T]?: Expectation };
  readonly set: Partial<T>;
}
