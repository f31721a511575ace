import { ApiError } from './errors.ts';

/** A way to go on, which the command line says in its own words. */
export type NextStep =
  | 'businesses'
  | 'keys'
  | 'checkouts'
  | 'merchant_reference'
  | 'unmatched_payments'
  | 'notifications'
  | 'providers';

/** Refuses what cannot be done as things are. The sentence is for members and operators alike: it says what to do next and has no secret. */
export class NotPossible extends ApiError {
  readonly see: NextStep | undefined;

  /** `field`: the field of a request that asks for it, as its contract names it. */
  constructor(message: string, see?: NextStep, field?: string) {
    super('not_possible', { message, ...(field !== undefined && { errors: [{ field, message }] }) });
    this.see = see;
  }
}
