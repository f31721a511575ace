/**
 * The outcome if a merchant reference cannot be taken: another checkout has it as its unique one, or the checkout that should pass it on
 * has changed since it was read.
 */
export interface ReferenceHeld {
  readonly kind: 'reference_held';
  /** The reference of the other checkout. */
  readonly by: string;
}
