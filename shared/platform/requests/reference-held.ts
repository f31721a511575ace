/** The outcome if a merchant reference cannot be taken: it is unique to another checkout, or that checkout has changed since it was read. */
export interface ReferenceHeld {
  readonly kind: 'reference_held';
  /** The reference of the other checkout. */
  readonly by: string;
}
