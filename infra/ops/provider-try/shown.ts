/* What of an answer may be shown: names of fields, and values of fixed lists. */

/** The only values of answers that are shown, by the field's name. Another value of such a field is a difference. */
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

/** Whether a name in an answer is one that a programmer gave. An account number or an address as a name is not shown. */
const FIELD = /^(?!.{41})[A-Za-z](?:[A-Za-z_]|\d{1,2}(?!\d))*$/;

const NO_FIELD = '(no name of a field)';

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value whose fields have names of fields only: a stranger's name is replaced. Differences then hold nothing else. */
export const withFieldNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withFieldNames);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, inner]) => [
    FIELD.test(name) ? name : NO_FIELD,
    withFieldNames(inner),
  ]);
  return Object.fromEntries(fields);
};

/** A field of a fixed list by its path; null stands for a value that is not in it. */
export interface EnumeratedField {
  readonly path: string;
  readonly value: string | null;
}

/** The fields of fixed lists in an answer whose fields have names of fields. */
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
