import * as z from 'zod/mini';
import type { ProviderAnswer } from '#shared/adapters/providers/common/http.ts';
import { type RefusalReason, refused } from '#shared/adapters/providers/common/refusals.ts';
import { boolean, text } from '#shared/domain/kernel/schemas.ts';
import { OutcomeUnknown, type ProviderRefusal } from '#shared/domain/providers/errors.ts';

const envelope = z.object({
  requestSuccessful: boolean,
  responseMessage: z.catch(z.nullish(text), null),
  responseCode: z.catch(z.nullish(z.union([text, z.number()])), null),
  responseBody: z.optional(z.unknown()),
});

/** What Monnify says no with, as far as we act upon it (providers.md section 2.2). */
export type Problem =
  | 'second_account'
  | 'contract'
  | 'bank'
  | 'identity'
  | 'amount'
  | 'duplicate_reference'
  | 'not_found'
  | 'forbidden'
  | 'other';

/** A call's success with its body, or Monnify's no. */
export type Outcome = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly problem: Problem };

const NOT_FOUND = 404;
const FORBIDDEN = 403;

/**
 * Nearly everything has the code 99, so that the text decides; it is matched and never passed on. A contract or a bank that is not
 * found comes before a thing that is not found: those also answer 404.
 */
const TEXTS: readonly (readonly [RegExp, Problem])[] = [
  [/more than \d+ account/i, 'second_account'],
  [/same reference|duplicate|already exists/i, 'duplicate_reference'],
  [/\bcontract\b/i, 'contract'],
  [/\bbank code\b|virtual accounts? from/i, 'bank'],
  [/\b(bvn|nin)\b/i, 'identity'],
  // The amounts that we send are well formed: what is amiss with one is how much it is.
  [/\bamount\b/i, 'amount'],
  [/(could not|cannot|can't|couldn't) find|not found|does not exist/i, 'not_found'],
];

const problemOf = (status: number, message: string, code: string): Problem => {
  if (code.toUpperCase() === 'R42') return 'second_account';
  const matched = TEXTS.find(([text]) => text.test(message))?.[1];
  if (matched) return matched;
  if (status === NOT_FOUND) return 'not_found';
  return status === FORBIDDEN ? 'forbidden' : 'other';
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** What an answer says. Throws OutcomeUnknown for what is not Monnify's envelope, or contradicts itself (providers.md section 2.1). */
export const outcomeOf = ({ status, json }: ProviderAnswer): Outcome => {
  const parsed = envelope.safeParse(json);
  if (!parsed.success) throw new OutcomeUnknown(`Monnify answered ${status} without its envelope.`);
  const { requestSuccessful, responseMessage, responseCode, responseBody } = parsed.data;
  if (!requestSuccessful) {
    return { ok: false, problem: problemOf(status, responseMessage ?? '', String(responseCode ?? '')) };
  }
  if (!isSuccess(status)) throw new OutcomeUnknown(`Monnify answered ${status} and called it a success.`);
  return { ok: true, body: responseBody };
};

/** A body in the shape that a call gives. Throws OutcomeUnknown when it has another. */
export const bodyOf = <T>(schema: z.ZodMiniType<T>, body: unknown): T => {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new OutcomeUnknown('Monnify answered in an unknown shape.');
  return parsed.data;
};

const REASONS: Record<Problem, RefusalReason> = {
  second_account: 'duplicate',
  contract: 'not_enabled',
  bank: 'bank_unavailable',
  identity: 'identity_mismatch',
  amount: 'amount',
  duplicate_reference: 'duplicate',
  not_found: 'other',
  forbidden: 'not_enabled',
  other: 'other',
};

/** A problem as the refusal that the business reads. */
export const refusalOf = (problem: Problem): ProviderRefusal => refused(REASONS[problem]);
