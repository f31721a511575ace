import * as z from 'zod/mini';
import { boolean, text } from '#shared/platform/kernel/schemas.ts';
import { AMOUNT_COMPLAINT, createProviderError, type ErrorReason } from '#shared/providers/common/error-texts.ts';
import type { ProviderAnswer } from '#shared/providers/common/http.ts';
import { isSuccess } from '#shared/providers/common/http.ts';
import { OutcomeUnknown, type ProviderError } from '#shared/providers/domain/errors.ts';

const envelope = z.object({
  requestSuccessful: boolean,
  responseMessage: z.catch(z.nullish(text), null),
  responseCode: z.catch(z.nullish(z.union([text, z.number()])), null),
  responseBody: z.optional(z.unknown()),
});

/** Kinds of Monnify's errors to which we react differently (providers.md section 2.2). */
export type Problem =
  | 'second_account'
  | 'contract'
  | 'bank'
  | 'identity'
  | 'payer_email'
  | 'amount'
  | 'duplicate_reference'
  | 'not_found'
  | 'forbidden'
  | 'other';

/** Monnify's answer: the body of a success, or an error. */
export type Reply = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly problem: Problem };

const NOT_FOUND = 404;
const FORBIDDEN = 403;

/**
 * Maps error texts to problems; the first match applies. Nearly every error has the code 99, so the texts decide. They are never passed on.
 * `contract` and `bank` precede `not_found`, because the error about an unknown contract or bank also says "not found".
 */
const TEXTS: readonly (readonly [RegExp, Problem])[] = [
  [/more than \d+ account/i, 'second_account'],
  [/same reference|duplicate|already exists/i, 'duplicate_reference'],
  [/\bcontract\b/i, 'contract'],
  [/\bbank code\b|virtual accounts? from/i, 'bank'],
  [/\b(bvn|nin)\b/i, 'identity'],
  [AMOUNT_COMPLAINT, 'amount'],
  [/^invalid customer ?e-?mail\b/i, 'payer_email'],
  [/(could not|cannot|can't|couldn't) find|not found|does not exist/i, 'not_found'],
];

const classifyProblem = (status: number, message: string, code: string): Problem => {
  if (code.toUpperCase() === 'R42') return 'second_account';
  const matched = TEXTS.find(([text]) => text.test(message))?.[1];
  if (matched) return matched;
  if (status === NOT_FOUND) return 'not_found';
  return status === FORBIDDEN ? 'forbidden' : 'other';
};

/** Parses an answer (providers.md section 2.1). @throws OutcomeUnknown if it lacks Monnify's envelope or contradicts itself. */
export const parseReply = ({ status, json }: ProviderAnswer): Reply => {
  const parsed = envelope.safeParse(json);
  if (!parsed.success) throw new OutcomeUnknown(`Monnify answered ${status} without its envelope.`);
  const { requestSuccessful, responseMessage, responseCode, responseBody } = parsed.data;
  if (!requestSuccessful) {
    return { ok: false, problem: classifyProblem(status, responseMessage ?? '', String(responseCode ?? '')) };
  }
  if (!isSuccess(status)) throw new OutcomeUnknown(`Monnify answered ${status} and called it a success.`);
  return { ok: true, body: responseBody };
};

const REASONS: Record<Problem, ErrorReason> = {
  second_account: 'duplicate',
  contract: 'not_enabled',
  bank: 'bank_unavailable',
  identity: 'identity_mismatch',
  payer_email: 'payer_email',
  amount: 'amount',
  duplicate_reference: 'duplicate',
  not_found: 'other',
  forbidden: 'not_enabled',
  other: 'other',
};

/** Converts a problem to the error that the business reads. */
export const toProviderError = (problem: Problem): ProviderError => createProviderError(REASONS[problem]);
