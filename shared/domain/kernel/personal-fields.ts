import { comparableAddress } from './email-address.ts';

/*
 * What identifies a payer in what is stored, and what takes its place when an operator erases it. Amounts, times, ids and references are
 * not among it: they are the books.
 */

/** The payer whose fields are erased, at one business. */
export interface ErasedPayer {
  readonly businessId: string;
  /** The payer's e-mail address, and the one that takes its place: it marks what an interrupted erasure has reached already. */
  readonly addresses: readonly string[];
  /** The address that takes its place: the same for all that is the payer's, and made of nothing of theirs. */
  readonly replacement: string;
  /** What else identifies the payer in a business's metadata, as the operator says: a number, another name. */
  readonly also: readonly string[];
}

/** In place of a name that cannot be absent. */
export const ERASED_NAME = 'Erased';
/** In place of a value within metadata, which may not grow. */
const erasedValue = (value: string): string => '***'.slice(0, value.length);

const ULID_LENGTH = 26;
const REPLACEMENT = /^erased-[0-7][0-9a-hjkmnp-tv-z]{25}@erased\.invalid$/;

/** An address that no mail can reach, made of the id of a record (RFC 2606). */
export const erasedAddress = (recordId: string): string =>
  `erased-${recordId.slice(-ULID_LENGTH).toLowerCase()}@erased.invalid`;
export const isErasedAddress = (address: string): boolean => REPLACEMENT.test(address);

/** Whether an address is the payer's, or stands in its place. */
export const isAddressOf = ({ addresses }: ErasedPayer, address: unknown): boolean =>
  typeof address === 'string' && addresses.includes(comparableAddress(address));

/** What is known of a payer, by which free text is searched. */
export interface Known {
  readonly texts: readonly unknown[];
  readonly phones: readonly unknown[];
}

/** A shorter text is found as a whole value only: it may be part of any word. */
const SHORTEST_PART = 4;
/** Of a Nigerian number without its prefix. */
const PHONE_DIGITS = 10;

const strings = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim().toLowerCase()] : []));
const digits = (text: string): string => text.replace(/\D/g, '');

/** Whether a value holds something that is known of the payer: a text of theirs, one of its words alone, or a number. */
const finder = ({ texts, phones }: Known): ((value: string) => boolean) => {
  const whole = strings(texts);
  const words = new Set(whole.flatMap((text) => [text, ...text.split(/\s+/)]));
  const numbers = strings(phones)
    .map((phone) => digits(phone).slice(-PHONE_DIGITS))
    .filter(({ length }) => length === PHONE_DIGITS);
  return (value) => {
    const text = value.trim().toLowerCase();
    if (words.has(text)) return true;
    if (whole.some((one) => one.length >= SHORTEST_PART && text.includes(one))) return true;
    return numbers.some((number) => digits(text).includes(number));
  };
};

const eraseValues = (value: unknown, isFound: (value: string) => boolean): unknown => {
  if (typeof value === 'string') return isFound(value) ? erasedValue(value) : value;
  if (typeof value === 'number') return isFound(String(value)) ? erasedValue(String(value)) : value;
  if (Array.isArray(value)) return value.map((one) => eraseValues(one, isFound));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [isFound(name) ? erasedValue(name) : name, eraseValues(one, isFound)]),
  );
};

/** A business's metadata without the values in which something of the payer is found; the same text when there is none. */
export const eraseInMetadata = (metadata: string | null, known: Known): string | null => {
  if (metadata === null) return null;
  const before: unknown = JSON.parse(metadata);
  const after = JSON.stringify(eraseValues(before, finder(known)));
  // Parsed and written again, numbers may lose digits: what holds nothing of the payer stays as the business wrote it.
  return after === JSON.stringify(before) ? metadata : after;
};

/** A text as people read it: a URL without its percent-encoding. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};
const showsAny = (text: string, isFound: (value: string) => boolean): boolean =>
  isFound(text) || isFound(decoded(text));

/** A business's own text or URL; null when something of the payer is found in it. */
export const eraseText = (text: string | null, known: Known): string | null =>
  text !== null && showsAny(text, finder(known)) ? null : text;

const ADDRESS_FIELDS = ['payer_email', 'customer_email'];
const NAME_FIELDS = ['payer_name', 'customer_name'];
const PHONE_FIELD = 'customer_phone';
/** Fields that may be null. Who sent money is in the payer's records, too, whoever it was. */
const NULLED = new Set(['payer_name', PHONE_FIELD, 'sender_name', 'sender_bank']);
/** Texts that a business writes of its own: they may have anything in them. */
const FREE = new Set(['description', 'callback_url', 'cancel_url']);
const NAMED = new Set(['customer_name', 'account_name']);

/** The values of some fields, wherever they stand in a document. */
const valuesOf = (value: unknown, fields: readonly string[]): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    ...(fields.includes(name) ? [one] : []),
    // A business's own document may have fields of any name.
    ...(name === 'metadata' ? [] : valuesOf(one, fields)),
  ]);
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Whether the body of an event or an answer shows the payer. */
export const showsPayer = (payer: ErasedPayer, body: string): boolean =>
  valuesOf(parsed(body), ADDRESS_FIELDS).some((address) => isAddressOf(payer, address));

/** The body of an event or an answer that shows the payer and nobody else, without what identifies them. */
export const eraseInBody = ({ replacement, also }: ErasedPayer, body: string): string => {
  const document = parsed(body);
  const texts = [...valuesOf(document, [...ADDRESS_FIELDS, ...NAME_FIELDS]), ...also];
  const isFound = finder({ texts, phones: [...valuesOf(document, [PHONE_FIELD]), ...also] });
  const erase = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(erase);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        if (one === null) return [name, one];
        if (ADDRESS_FIELDS.includes(name)) return [name, replacement];
        if (NULLED.has(name)) return [name, null];
        if (NAMED.has(name)) return [name, ERASED_NAME];
        if (FREE.has(name) && typeof one === 'string') return [name, showsAny(one, isFound) ? null : one];
        return [name, name === 'metadata' ? eraseValues(one, isFound) : erase(one)];
      }),
    );
  };
  return JSON.stringify(erase(document));
};
