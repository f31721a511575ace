import type * as z from 'zod/mini';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';
import { type Personal, personalMarks } from '#shared/platform/kernel/personal.ts';
import { listParts } from './schema-parts.ts';

/*
 * Finds and replaces the stored fields that identify a payer, when an operator erases the payer. Amounts, times, ids and references are kept:
 * they are the books.
 */

/** A payer to erase at one business. */
export interface ErasedPayer {
  readonly businessId: string;
  /** The payer's e-mail address, and its replacement, which an interrupted erasure may have written already. */
  readonly addresses: readonly string[];
  /** The address that replaces the payer's address. It is the same in all items, and it is not derived from the payer's data. */
  readonly replacement: string;
  /** Other texts that identify the payer in a business's metadata, as the operator gives them: a number, another name. */
  readonly also: readonly string[];
}

/** Replaces a name that cannot be absent. */
const ERASED_NAME = 'Erased';
/** Makes the replacement of a value within metadata. It is not longer than the value, because metadata may not grow. */
const erasedValue = (value: string): string => '***'.slice(0, value.length);

const ULID_LENGTH = 26;
const REPLACEMENT = /^erased-[0-7][0-9a-hjkmnp-tv-z]{25}@erased\.invalid$/;

/** Makes an address that no mail can reach (RFC 2606) from the id of a record. */
export const erasedAddress = (recordId: string): string =>
  `erased-${recordId.slice(-ULID_LENGTH).toLowerCase()}@erased.invalid`;
export const isErasedAddress = (address: string): boolean => REPLACEMENT.test(address);

/** Whether an address is the payer's, or its replacement. */
export const isPayerAddress = ({ addresses }: ErasedPayer, address: unknown): boolean =>
  typeof address === 'string' && addresses.includes(comparableAddress(address));

/** Known values of a payer, which are searched for in free text. */
export interface PayerIdentifiers {
  readonly texts: readonly unknown[];
  readonly phones: readonly unknown[];
}

/**
 * Minimum number of characters of a known text that is searched for within longer values. A shorter text could be a part of any word, so it
 * is found only if it is the whole value.
 */
const MIN_PART_LENGTH = 4;
/** Number of digits of a Nigerian phone number without its prefix. */
const PHONE_DIGITS = 10;

const normalizeTexts = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim().toLowerCase()] : []));
const keepDigits = (text: string): string => text.replace(/\D/g, '');

/**
 * Makes a function that searches a value for the payer. It returns true if the value contains a known text, is one word of such a text, or
 * contains a known phone number.
 */
const makeFinder = ({ texts, phones }: PayerIdentifiers): ((value: string) => boolean) => {
  const whole = normalizeTexts(texts);
  const words = new Set(whole.flatMap((text) => [text, ...text.split(/\s+/)]));
  const numbers = normalizeTexts(phones)
    .map((phone) => keepDigits(phone).slice(-PHONE_DIGITS))
    .filter(({ length }) => length === PHONE_DIGITS);
  return (value) => {
    const text = value.trim().toLowerCase();
    if (words.has(text)) return true;
    if (whole.some((phrase) => phrase.length >= MIN_PART_LENGTH && text.includes(phrase))) return true;
    return numbers.some((number) => keepDigits(text).includes(number));
  };
};

const eraseValues = (value: unknown, isFound: (value: string) => boolean): unknown => {
  if (typeof value === 'string') return isFound(value) ? erasedValue(value) : value;
  if (typeof value === 'number') return isFound(String(value)) ? erasedValue(String(value)) : value;
  if (Array.isArray(value)) return value.map((item) => eraseValues(item, isFound));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [isFound(name) ? erasedValue(name) : name, eraseValues(item, isFound)]),
  );
};

/**
 * Erases each field name and each value of a business's metadata in which something of the payer is found. Returns the metadata unchanged if
 * nothing is found.
 */
export const eraseInMetadata = (metadata: string | null, identifiers: PayerIdentifiers): string | null => {
  if (metadata === null) return null;
  const before: unknown = JSON.parse(metadata);
  const after = JSON.stringify(eraseValues(before, makeFinder(identifiers)));
  // Numbers may lose digits if they are parsed and written again. So metadata without anything of the payer stays as it is.
  return after === JSON.stringify(before) ? metadata : after;
};

/** Decodes percent-encoding, which may hide the payer's data in a URL. Returns the text unchanged if it cannot be decoded. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};
const showsAny = (text: string, isFound: (value: string) => boolean): boolean => isFound(text) || isFound(decode(text));

/** Returns a business's own text or URL; null if something of the payer is found in it. */
export const eraseText = (text: string | null, identifiers: PayerIdentifiers): string | null =>
  text !== null && showsAny(text, makeFinder(identifiers)) ? null : text;

/** A field that a schema marks as personal. `empty`: the value that replaces a `name`, a `phone` or an `other` text. */
interface Field {
  readonly kind: Personal;
  readonly empty: typeof ERASED_NAME | null;
}
type Fields = ReadonlyMap<string, Field>;

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Lists the marked fields of a schema and of the schemas within it, by name. */
const listMarked = (schema: z.ZodMiniType, name = ''): [string, Field][] => {
  const kind = personalMarks.get(schema)?.personal;
  if (kind === 'none') return [[name, { kind, empty: null }]];
  if (kind) return [[name, { kind, empty: schema.safeParse(null).success ? null : ERASED_NAME }]];
  return listParts(schema).flatMap(([part, within]) => listMarked(within, part ?? name));
};

/**
 * Collects the marked fields by name. Answers show the same fields in snake case, so each field has an entry for both spellings. @throws Error if a
 * name is marked in two ways.
 */
const collectFields = (schemas: readonly z.ZodMiniType[]): Fields => {
  const fields = new Map<string, Field>();
  for (const [name, field] of schemas.flatMap((schema) => listMarked(schema))) {
    const other = fields.get(name);
    if (other && (other.kind !== field.kind || other.empty !== field.empty)) {
      throw new Error(`The field ${name} is marked in two ways.`);
    }
    for (const spelling of [name, toSnakeCase(name)]) fields.set(spelling, field);
  }
  return fields;
};

/** Collects the values of marked fields of some kinds, anywhere in a document. */
const collectValues = (fields: Fields, value: unknown, ...kinds: readonly Personal[]): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const kind = fields.get(name)?.kind;
    // The business chooses the field names within its metadata. One of them may equal a marked name by chance, so the metadata is left out.
    if (kind === 'metadata') return [];
    return [...(kind && kinds.includes(kind) ? [item] : []), ...collectValues(fields, item, ...kinds)];
  });
};

/** Searches documents for a payer, and erases the payer in a copy of a document. */
export interface Eraser {
  /** Whether the document has an address of the payer. */
  readonly shows: (payer: ErasedPayer, document: unknown) => boolean;
  readonly erase: <Document>(payer: ErasedPayer, document: Document) => Document;
}

/** Makes an eraser for stored objects of these schemas, and for answers and events that show them. Fields are marked in the schemas (personal.ts). */
export const makeEraser = (...schemas: readonly z.ZodMiniType[]): Eraser => {
  const fields = collectFields(schemas);
  return {
    shows: (payer, document) =>
      collectValues(fields, document, 'address').some((address) => isPayerAddress(payer, address)),
    erase: <Document>({ replacement, also }: ErasedPayer, document: Document): Document => {
      const phones = [...collectValues(fields, document, 'phone'), ...also];
      const identifiers = { texts: [...collectValues(fields, document, 'address', 'name'), ...also], phones };
      const eraseField = ({ kind, empty }: Field, value: unknown): unknown => {
        if (value === null || kind === 'none') return value;
        if (kind === 'address') return replacement;
        if (kind === 'free') return typeof value === 'string' ? eraseText(value, identifiers) : value;
        if (kind !== 'metadata') return empty;
        return typeof value === 'string'
          ? eraseInMetadata(value, identifiers)
          : eraseValues(value, makeFinder(identifiers));
      };
      const erase = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(erase);
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(
          Object.entries(value).map(([name, item]) => {
            const field = fields.get(name);
            return [name, field ? eraseField(field, item) : erase(item)];
          }),
        );
      };
      return erase(document) as Document;
    },
  };
};
