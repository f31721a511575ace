import type { RequestState } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { listParameters } from '#shared/platform/contract/parameters-of.ts';
import type { FieldError } from '#shared/platform/kernel/errors.ts';
import { type JsonLoss, lossesIn } from '#shared/platform/kernel/json-losses.ts';

const FIELD = 'metadata';
const LONGEST_PATH = 64;

const toFieldError = ({ kind, path }: JsonLoss): FieldError => {
  if (path === FIELD && kind === 'repeated_member') return { field: FIELD, message: `${FIELD} must be sent once.` };
  const place = path.slice(0, LONGEST_PATH).toWellFormed();
  const message =
    kind === 'number'
      ? `${FIELD} must not hold a number that a 64-bit float cannot hold exactly: ${place}. Send it as a string.`
      : `${FIELD} must not hold a member twice: ${place}.`;
  return { field: FIELD, message };
};

/**
 * Lists the errors of metadata that we could not return as it was sent: repeated members, and numbers that a 64-bit float cannot hold
 * exactly. It reads the raw text, because the parsed object no longer shows these losses.
 */
export const metadataErrors = (
  { body }: Contract,
  { json, rawBody }: Pick<RequestState, 'json' | 'rawBody'>,
): readonly FieldError[] => {
  if (body === null || !rawBody || !json || !(FIELD in json) || !listParameters(body).includes(FIELD)) return [];
  return lossesIn(rawBody.toString('utf8'), FIELD).map(toFieldError);
};
