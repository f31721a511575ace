import { AMOUNT_COMPLAINT, createProviderError, type ErrorReason } from '#shared/providers/common/error-texts.ts';
import type { ProviderError } from '#shared/providers/domain/errors.ts';
import type { ErrorReply } from './client.ts';

const REPEATED = /duplicate|already (exists?|been used|used|in use)/i;
/** The fields that describe a customer or payer: `customer.email`, `customer.name`, `account_name`, `phone`. */
const CUSTOMER = /customer|e-?mail|(^|[^a-z])name\b|account_name|phone/i;
/** The payer's address as a field that Korapay names; its texts may speak of our own. */
const PAYER_EMAIL = /"customer\.email"|"customer":\{"email"/;
const NOT_FOUND = /not found|does not exist/i;

/** Whether Korapay refuses because it knows this reference, or this customer, already. */
export const isDuplicate = ({ message, details }: ErrorReply): boolean =>
  REPEATED.test(message) || REPEATED.test(details);

/** Whether Korapay refuses because what was asked for does not exist: a 404, "Charge not found" (providers.md section 3.4). */
export const isNotFound = ({ status, message }: ErrorReply): boolean => status === 404 || NOT_FOUND.test(message);

/** The first reason that matches applies. Korapay's error codes are not confirmed, so its texts decide (providers.md section 3.1). */
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

/** Korapay's refusal as the error that the business reads; `other` when its texts match no reason. */
export const toProviderError = (reply: ErrorReply): ProviderError =>
  createProviderError(REASONS.find(([, matches]) => matches(reply))?.[0] ?? 'other');
