/** The outcome when a merchant reference cannot be taken: another checkout holds it, or has changed since it was read. */
export interface ReferenceHeld {
  readonly kind: 'reference_held';
  /** The reference of the other checkout. */
  readonly by: string;
}
