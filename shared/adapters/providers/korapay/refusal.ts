import type { RefusalReason } from '#shared/adapters/providers/common/refusals.ts';
import type { Refusal } from './call.ts';

const REPEATED = /duplicate|already (exists?|been used|used|in use)/i;
const NOT_FOUND = /not found|does not exist/i;

/** Whether Korapay refuses because it has heard this reference (or this customer) before. */
export const isDuplicate = ({ message, details }: Refusal): boolean => REPEATED.test(message) || REPEATED.test(details);

/** Whether Korapay refuses because it knows no such thing: a 404, "Charge not found" (providers.md section 3.4). */
export const isNotFound = ({ status, message }: Refusal): boolean => status === 404 || NOT_FOUND.test(message);

/** The first that fits; Korapay's error codes are not confirmed, so its words decide (providers.md section 3.1). */
const REASONS: readonly (readonly [RefusalReason, (refusal: Refusal) => boolean])[] = [
  ['duplicate', isDuplicate],
  // The amounts that we send are well formed: what is amiss with one is how much it is.
  ['amount', ({ message, details }) => /\bamount\b/i.test(message) || /"amount"/.test(details)],
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
  ['invalid_input', ({ status, message }) => status === 400 || status === 422 || /invalid|required/i.test(message)],
];

/** Why Korapay said no, as far as its words tell. */
export const reasonOf = (refusal: Refusal): RefusalReason => REASONS.find(([, fits]) => fits(refusal))?.[0] ?? 'other';
