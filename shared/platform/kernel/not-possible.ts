import { ApiError } from './errors.ts';

/** The topic of a hint for operators. The command line has a sentence for each topic, and adds it to the message. */
export type NextStep =
  | 'businesses'
  | 'keys'
  | 'checkouts'
  | 'merchant_reference'
  | 'unmatched_payments'
  | 'notifications'
  | 'providers';

/** A change is not possible at present. The message is for members and operators alike: it says what to do next, and has no secret. */
export class NotPossible extends ApiError {
  readonly see: NextStep | undefined;

  /** `field`: the field of the request that is wrong, as its contract names it. */
  constructor(message: string, see?: NextStep, field?: string) {
    super('not_possible', { message, ...(field !== undefined && { errors: [{ field, message }] }) });
    this.see = see;
  }
}
