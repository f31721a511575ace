import { AMOUNT_COMPLAINT, createProviderError, type ErrorReason } from '#shared/providers/common/error-texts.ts';
import type { ProviderError } from '#shared/providers/domain/errors.ts';
import type { ErrorReply } from './client.ts';

const REPEATED = /duplicate|already (exists?|been used|used|in use)/i;
/** Matches the fields that describe a customer or payer: `customer.email`, `customer.name`, `account_name`, `phone`. */
const CUSTOMER = /customer|e-?mail|(^|[^a-z])name\b|account_name|phone/i;
/**
 * Matches the field of the payer's e-mail address in `details`. Messages are not tested: one that says "email" may be about our own account ("Contact
 * support by email").
 */
const PAYER_EMAIL = /"customer\.email"|"customer":\{"email"/;
const NOT_FOUND = /not found|does not exist/i;

/** Whether Korapay rejected the request because it already knows the reference or the customer. */
export const isDuplicate = ({ message, details }: ErrorReply): boolean =>
  REPEATED.test(message) || REPEATED.test(details);

/** Whether Korapay did not find the object: a 404, or "Charge not found" (providers.md section 3.4). */
export const isNotFound = ({ status, message }: ErrorReply): boolean => status === 404 || NOT_FOUND.test(message);

/** Reasons with their tests; the first match applies. Korapay's error codes are not confirmed, so its texts decide (providers.md section 3.1). */
const REASONS: readonly (readonly [ErrorReason, (reply: ErrorReply) => boolean])[] = [
  ['duplicate', isDuplicate],
  ['payer_email', ({ details }) => PAYER_EMAIL.test(details)],
  ['amount', ({ message, details }) => AMOUNT_COMPLAINT.test(`${message} ${details}`)],
  ['identity_mismatch', ({ message }) => /\b(bvn|nin|identity|kyc)\b/i.test(message)],
  ['limit_reached', ({ message }) => /limit|maximum number/i.test(message)],
  [
    'bank_unavailable',
    ({ message }) =>
      /bank/i.test(message) && /unavailable|not available|unsupported|not supported|invalid bank/i.test(message),
  ],
  [
    'not_enabled',
    ({ status, message }) =>
      status === 403 || /not[ _](been )?(enabled|activated|allowed|permitted|authori[sz]ed)/i.test(message),
  ],
  ['customer', ({ message, details }) => CUSTOMER.test(message) || CUSTOMER.test(details)],
];

/** Converts an error answer to the error that the business reads; `other` if its texts match no reason. */
export const toProviderError = (reply: ErrorReply): ProviderError =>
  createProviderError(REASONS.find(([, matches]) => matches(reply))?.[0] ?? 'other');
