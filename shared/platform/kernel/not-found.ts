import { ApiError } from './errors.ts';

/** The code of an object that is not found by its id. */
export type NotFoundCode =
  | 'checkout_not_found'
  | 'payment_not_found'
  | 'virtual_account_not_found'
  | 'event_not_found'
  | 'webhook_endpoint_not_found';

/**
 * Makes the error of a request for an object that the caller's business does not have in this mode. `requestedId`: the name that the
 * request used.
 */
export const notFound = (code: NotFoundCode, requestedId: string): ApiError => new ApiError(code, { requestedId });
