/* Decides which parts of an answer a report may show: names of fields, and values of fixed lists. */

/** Values that a report may show, by the name of the field. Any other value of such a field is a difference. */
const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  status:
    'pending pending_bank_transfer processing ongoing queued success failed abandoned reversed expired active ACTIVE INACTIVE'.split(
      ' ',
    ),
  paymentStatus:
    'PAID OVERPAID PARTIALLY_PAID UNDERPAID PENDING EXPIRED CANCELLED FAILED ABANDONED REVERSED REFUNDED PARTIALLY_REFUNDED'.split(
      ' ',
    ),
  account_status: ['active', 'inactive', 'deactivated'],
  channel: ['bank_transfer', 'dedicated_nuban'],
  payment_method: ['bank_transfer', 'virtual_bank_account'],
  paymentMethod: ['ACCOUNT_TRANSFER'],
  currency: ['NGN'],
  currencyCode: ['NGN'],
};

/** Matches names of fields as programmers choose them. If an answer uses an account number or an address as a name, it does not match. */
const FIELD = /^(?!.{41})[A-Za-z](?:[A-Za-z_]|\d{1,2}(?!\d))*$/;

const NO_FIELD = '(not a field name)';

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces names in an answer that are not field names, so that differences contain no personal data. */
export const withFieldNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withFieldNames);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, inner]) => [
    FIELD.test(name) ? name : NO_FIELD,
    withFieldNames(inner),
  ]);
  return Object.fromEntries(fields);
};

/** A field that has a fixed list of values. `value` is null if the answer's value is not in the list. */
export interface EnumeratedField {
  readonly path: string;
  readonly value: string | null;
}

/** Finds the fields that have a fixed list of values, in an answer after `withFieldNames`. */
export const findEnumerated = (value: unknown, path: string): readonly EnumeratedField[] => {
  if (Array.isArray(value)) return value.flatMap((entry) => findEnumerated(entry, `${path}[]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const inside = path === '' ? name : `${path}.${name}`;
    const known = Object.hasOwn(ENUMERATIONS, name) ? ENUMERATIONS[name] : undefined;
    if (known === undefined || typeof inner !== 'string') return findEnumerated(inner, inside);
    return [{ path: inside, value: known.find((candidate) => candidate === inner) ?? null }];
  });
};
