import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { AMOUNT_COMPLAINT, createProviderError, type ErrorReason } from '#shared/providers/common/error-texts.ts';
import type { ProviderAnswer } from '#shared/providers/common/http.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { clampRetryAfter } from '#shared/providers/domain/breaker.ts';
import { OutcomeUnknown, ProviderBusy } from '#shared/providers/domain/errors.ts';

/** An error answer of Paystack. Its text and code only select our own error text and are never passed on. */
export interface ErrorReply {
  readonly ok: false;
  readonly httpStatus: number;
  readonly message: string;
  readonly code: string | null;
}

/** Paystack's answer: the data of a success, or an error (providers.md section 1.1). */
export type Reply = { readonly ok: true; readonly data: unknown; readonly meta: unknown } | ErrorReply;

const envelope = z.object({
  status: z.optional(z.unknown()),
  message: z.catch(text, ''),
  // Many endpoints answer without a code (providers.md section 1.1).
  code: z.catch(z.nullable(text), null),
  data: z.optional(z.unknown()),
  meta: z.optional(z.unknown()),
});

/** Parses an answer. @throws OutcomeUnknown if it lacks Paystack's envelope: then a gateway answered, and not Paystack. */
export const parseReply = ({ status: httpStatus, json }: ProviderAnswer): Reply => {
  const parsed = envelope.safeParse(json);
  if (!parsed.success || parsed.data.status === undefined) throw new OutcomeUnknown('The answer has no envelope.');
  const { status, message, code, data, meta } = parsed.data;
  // Only the boolean true is a success. Integrators have seen a failure whose status was the text "error".
  const isAccepted = status === true && httpStatus >= 200 && httpStatus < 300;
  return isAccepted ? { ok: true, data, meta } : { ok: false, httpStatus, message, code };
};

/** Whether Paystack rejected our key: 401, or the 400 "Invalid key" of the documentation's samples (providers.md section 1.4). */
export const isKeyRejected = ({ httpStatus, message }: ErrorReply): boolean =>
  httpStatus === 401 || (httpStatus === 400 && /^invalid key\b/i.test(message));

/** Whether a reference was used before. Paystack's list of errors has two texts for this, and no code. */
export const isDuplicateReference = ({ message }: ErrorReply): boolean =>
  /^duplicate (transaction reference|charge request for reference)/i.test(message);

const UNKNOWN_REFERENCE = /^transaction (reference is invalid|reference not found|not found)/i;

/** Whether Paystack knows no transaction under a reference: a 404, or a 400 with a text or the code of providers.md section 1.4. */
export const isUnknownReference = ({ httpStatus, message, code }: ErrorReply): boolean =>
  httpStatus === 404 || (httpStatus === 400 && (code === 'transaction_not_found' || UNKNOWN_REFERENCE.test(message)));

/** Whether a customer or an account does not exist. */
export const isNotFound = ({ httpStatus, message }: ErrorReply): boolean =>
  httpStatus === 404 || (httpStatus === 400 && /\bnot found\b/i.test(message));

/** Maps error texts to reasons; the first match applies. */
const REASONS: readonly (readonly [RegExp, ErrorReason])[] = [
  [
    /not (available|enabled|active) for your (business|integration)|access denied|not enabled|privileges/i,
    'not_enabled',
  ],
  // "Invalid Amount Sent".
  [AMOUNT_COMPLAINT, 'amount'],
  [/\bbvn\b|identif|identity/i, 'identity_mismatch'],
  [/(maximum|limit).*dedicated|dedicated.*(maximum|limit)/i, 'limit_reached'],
  [
    /(preferred_?bank|bank|provider)\b.*(not|un)[ -]?(available|supported)|invalid bank|bank is invalid/i,
    'bank_unavailable',
  ],
  [/first_?name|last_?name|phone|e-?mail/i, 'customer'],
];

/** Delay in milliseconds for Paystack's text "a few minutes", which has no number. */
const A_FEW_MINUTES = clampRetryAfter(3 * MINUTE);
const BUSY = 'The provider limits our requests.';

/** Converts an error answer to the error to throw: ProviderBusy for a rate limit, else a ProviderError that the business reads. */
export const toProviderError = (reply: ErrorReply): Error => {
  // The text of a rate limit in Paystack's list of errors.
  if (/^please wait a few minutes/i.test(reply.message)) return new ProviderBusy(BUSY, A_FEW_MINUTES);
  if (reply.code === 'rate_limited') return new ProviderBusy(BUSY, clampRetryAfter(undefined));
  return createProviderError(REASONS.find(([text]) => text.test(reply.message))?.[1] ?? 'other');
};

/** Returns the parsed data of a success. @throws the converted error of any other answer, and the errors of `parseAnswer`. */
export const requireData = <T>(reply: Reply, schema: z.ZodMiniType<T>): T => {
  if (!reply.ok) throw toProviderError(reply);
  return parseAnswer(schema, reply.data);
};
