import * as z from 'zod/mini';
import type { ProviderAnswer } from '#shared/adapters/providers/common/http.ts';
import { type RefusalReason, refused } from '#shared/adapters/providers/common/refusals.ts';
import { text } from '#shared/domain/kernel/schemas.ts';
import { OutcomeUnknown, ProviderUnavailable } from '#shared/domain/providers/errors.ts';

/** Paystack's no: its HTTP status, and its text and code, which are matched here and never passed on. */
export interface Refusal {
  readonly ok: false;
  readonly httpStatus: number;
  readonly message: string;
  readonly code: string | null;
}

/** What Paystack answered, out of its envelope (providers.md section 1.1). */
export type Reply = { readonly ok: true; readonly data: unknown; readonly meta: unknown } | Refusal;

const envelope = z.object({
  status: z.optional(z.unknown()),
  message: z.catch(text, ''),
  // Many endpoints answer without it (providers.md section 1.1).
  code: z.catch(z.nullable(text), null),
  data: z.optional(z.unknown()),
  meta: z.optional(z.unknown()),
});

/** Opens the envelope. Throws OutcomeUnknown when there is none: then a gateway spoke, not Paystack. */
export const replyOf = ({ status: httpStatus, json }: ProviderAnswer): Reply => {
  const parsed = envelope.safeParse(json);
  if (!parsed.success || parsed.data.status === undefined) throw new OutcomeUnknown('The answer has no envelope.');
  const { status, message, code, data, meta } = parsed.data;
  // A failure was seen with the text "error" as status, so that only a boolean true is a yes.
  const accepted = status === true && httpStatus >= 200 && httpStatus < 300;
  return accepted ? { ok: true, data, meta } : { ok: false, httpStatus, message, code };
};

/** Whether our key was refused: 401, or the 400 "Invalid key" of the documentation's samples (providers.md section 1.4). */
export const isKeyRefused = ({ httpStatus, message }: Refusal): boolean =>
  httpStatus === 401 || (httpStatus === 400 && /^invalid key\b/i.test(message));

/** Whether a reference was used before: two texts for it are in Paystack's list of errors, and no code. */
export const isDuplicateReference = ({ message }: Refusal): boolean =>
  /^duplicate (transaction reference|charge request for reference)/i.test(message);

const UNKNOWN_REFERENCE = /^transaction (reference is invalid|reference not found|not found)/i;

/** Whether Paystack knows no transaction of a reference: a 404, or a 400 with one of the texts or the code of providers.md section 1.4. */
export const isUnknownReference = ({ httpStatus, message, code }: Refusal): boolean =>
  httpStatus === 404 || (httpStatus === 400 && (code === 'transaction_not_found' || UNKNOWN_REFERENCE.test(message)));

/** Whether what was asked for by its id or address does not exist. */
export const isNotFound = ({ httpStatus, message }: Refusal): boolean =>
  httpStatus === 404 || (httpStatus === 400 && /\bnot found\b/i.test(message));

/** What Paystack's texts mean, most telling first. What matches none is `other`. */
const REASONS: readonly (readonly [RegExp, RefusalReason])[] = [
  [
    /not (available|enabled|active) for your (business|integration)|access denied|not enabled|privileges/i,
    'not_enabled',
  ],
  // The amounts that we send are well formed: what is amiss with one ("Invalid Amount Sent") is how much it is.
  [/\bamount\b/i, 'amount'],
  [/\bbvn\b|identif|identity/i, 'identity_mismatch'],
  [/(maximum|limit).*dedicated|dedicated.*(maximum|limit)/i, 'limit_reached'],
  [
    /(preferred_?bank|bank|provider)\b.*(not|un)[ -]?(available|supported)|invalid bank|bank is invalid/i,
    'bank_unavailable',
  ],
  [/first_?name|last_?name|phone|e-?mail/i, 'invalid_input'],
];

/** The error that a refusal becomes: ProviderUnavailable for a rate limit, else a ProviderRefusal in our words. */
export const errorOf = (refusal: Refusal): Error => {
  // In Paystack's list of errors this is the text of a rate limit.
  if (/^please wait a few minutes/i.test(refusal.message)) {
    return new ProviderUnavailable('The provider limits our requests.');
  }
  return refused(REASONS.find(([text]) => text.test(refusal.message))?.[1] ?? 'other');
};

/** Data of Paystack's, read with a schema. Throws OutcomeUnknown for what nobody can read. */
export const readAs = <T>(schema: z.ZodMiniType<T>, data: unknown): T => {
  const parsed = schema.safeParse(data);
  // The problem's text stays here: it may repeat what Paystack sent.
  if (!parsed.success) throw new OutcomeUnknown('The answer is not of the form that Paystack documents.');
  return parsed.data;
};

/** The data of a yes, read with a schema. Throws the error of a no, and what `readAs` throws. */
export const dataOf = <T>(reply: Reply, schema: z.ZodMiniType<T>): T => {
  if (!reply.ok) throw errorOf(reply);
  return readAs(schema, reply.data);
};
