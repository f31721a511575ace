import type { Contract } from '#shared/platform/contract/contract.ts';
import { listParameters } from '#shared/platform/contract/parameters-of.ts';
import type { FieldError } from '#shared/platform/kernel/errors.ts';

const MAX_ERRORS = 10;
const LONGEST_NAME = 64;

const toFieldErrors = (names: readonly string[], rule: string): FieldError[] =>
  [...new Set(names)]
    .slice(0, MAX_ERRORS)
    .map((name) => name.slice(0, LONGEST_NAME).toWellFormed())
    .map((field) => ({ field, message: `${field || 'A parameter without a name'} ${rule}` }));

/** Lists the names that a list has more than once. */
const listRepeated = (names: readonly string[]): string[] => {
  const seen = new Set<string>();
  return names.filter((name) => seen.has(name) || !seen.add(name));
};

/**
 * Lists what is wrong with the names of a query. It reads the raw text, because API Gateway joins the values of a repeated parameter by
 * commas, so that two filters would look like one. An authenticated GET or DELETE takes no unknown parameter, because a mistyped filter must
 * not return everything.
 */
export const queryNameErrors = ({ method, query }: Contract, rawQuery: string): FieldError[] => {
  const names = [...new URLSearchParams(rawQuery).keys()];
  const known = listParameters(query);
  const isStrict = method === 'GET' || method === 'DELETE';
  const isUnknown = (name: string): boolean => isStrict && !known.includes(name);
  const hint = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes no query parameters.';
  return [
    ...toFieldErrors(names.filter(isUnknown), `is not a query parameter of this request. ${hint}`),
    ...toFieldErrors(listRepeated(names.filter((name) => !isUnknown(name))), 'must be given once.'),
  ];
};
