import { errorAnswer } from '#shared/platform/contract/errors.ts';
import { ApiError, type ApiErrorCode } from '#shared/platform/kernel/errors.ts';
import { type NextStep, NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { OperatorError } from './operator-error.ts';

/* Turns API errors of use cases into messages of the command line. */

const NEXT_STEPS: Readonly<Record<NextStep, string>> = {
  businesses: 'The command "business list" shows all businesses.',
  keys: 'The command "key list" shows the keys of a business.',
  checkouts: 'See: checkout find --help',
  merchant_reference: 'For a merchant reference, give --business and --mode.',
  unmatched_payments: 'See: unmatched list',
  notifications: 'See: notification list',
  providers: 'See: provider list',
};

/** Next steps of an operator after an API error, by its code. */
const NEXT_STEPS_BY_CODE: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  webhook_endpoint_not_found: 'The command "endpoint list" shows the endpoints of a business.',
  delivery_in_progress: 'Wait half a minute, and run the command again if it is still needed.',
};

/** Fields of the API and the options that stand for them. */
const OPTIONS: readonly (readonly [string, string])[] = [['endpoint_id', '--endpoint']];

const nextStep = (error: ApiError): string => {
  const { retryAfterSeconds } = error.details;
  if (error instanceof NotPossible) return error.see ? NEXT_STEPS[error.see] : '';
  if (retryAfterSeconds !== undefined) return `Run the command again in ${retryAfterSeconds} seconds.`;
  return NEXT_STEPS_BY_CODE[error.code] ?? '';
};

/** Turns an API error into an OperatorError that names commands and options; returns any other error as it is. */
export const asOperatorError = (error: unknown): unknown => {
  if (!(error instanceof ApiError)) return error;
  const { code, details } = error;
  const reasons = details.errors?.map(({ message }) => message).join(' ');
  const reason = reasons ?? details.message ?? errorAnswer(code).message;
  const sentence = OPTIONS.reduce((text, [field, option]) => text.replaceAll(field, option), reason);
  return new OperatorError(`${sentence} ${nextStep(error)}`.trim());
};
