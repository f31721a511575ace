import type * as z from 'zod/mini';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';
import { type Personal, personalMarks } from '#shared/platform/kernel/personal.ts';
import { listParts } from './schema-parts.ts';

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
const ERASED_NAME = 'Erased';
/** In place of a value within metadata, which may not grow. */
const erasedValue = (value: string): string => '***'.slice(0, value.length);

const ULID_LENGTH = 26;
const REPLACEMENT = /^erased-[0-7][0-9a-hjkmnp-tv-z]{25}@erased\.invalid$/;

/** An address that no mail can reach, made of the id of a record (RFC 2606). */
export const erasedAddress = (recordId: string): string =>
  `erased-${recordId.slice(-ULID_LENGTH).toLowerCase()}@erased.invalid`;
export const isErasedAddress = (address: string): boolean => REPLACEMENT.test(address);

/** Whether an address is the payer's, or stands in its place. */
export const isPayerAddress = ({ addresses }: ErasedPayer, address: unknown): boolean =>
  typeof address === 'string' && addresses.includes(comparableAddress(address));

/** What is known of a payer, by which free text is searched. */
export interface PayerIdentifiers {
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
const finder = ({ texts, phones }: PayerIdentifiers): ((value: string) => boolean) => {
  const whole = strings(texts);
  const words = new Set(whole.flatMap((text) => [text, ...text.split(/\s+/)]));
  const numbers = strings(phones)
    .map((phone) => digits(phone).slice(-PHONE_DIGITS))
    .filter(({ length }) => length === PHONE_DIGITS);
  return (value) => {
    const text = value.trim().toLowerCase();
    if (words.has(text)) return true;
    if (whole.some((phrase) => phrase.length >= SHORTEST_PART && text.includes(phrase))) return true;
    return numbers.some((number) => digits(text).includes(number));
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

/** A business's metadata without the values in which something of the payer is found; the same text when there is none. */
export const eraseInMetadata = (metadata: string | null, identifiers: PayerIdentifiers): string | null => {
  if (metadata === null) return null;
  const before: unknown = JSON.parse(metadata);
  const after = JSON.stringify(eraseValues(before, finder(identifiers)));
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
export const eraseText = (text: string | null, identifiers: PayerIdentifiers): string | null =>
  text !== null && showsAny(text, finder(identifiers)) ? null : text;

/** A marked field, and what stands in its place once it is erased. */
interface Field {
  readonly kind: Personal;
  readonly empty: typeof ERASED_NAME | null;
}
type Fields = ReadonlyMap<string, Field>;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The marked fields of a schema by name, with what is within them. */
const marked = (schema: z.ZodMiniType, name = ''): [string, Field][] => {
  const kind = personalMarks.get(schema)?.personal;
  if (kind === 'none') return [[name, { kind, empty: null }]];
  if (kind) return [[name, { kind, empty: schema.safeParse(null).success ? null : ERASED_NAME }]];
  return listParts(schema).flatMap(([part, within]) => marked(within, part ?? name));
};

/** By the names of the schemas and by those of answers, which are the same in snake case. @throws Error if one name is marked in two ways. */
const collectFields = (schemas: readonly z.ZodMiniType[]): Fields => {
  const fields = new Map<string, Field>();
  for (const [name, field] of schemas.flatMap((schema) => marked(schema))) {
    const other = fields.get(name);
    if (other && (other.kind !== field.kind || other.empty !== field.empty)) {
      throw new Error(`The field ${name} is marked in two ways.`);
    }
    for (const spelling of [name, snake(name)]) fields.set(spelling, field);
  }
  return fields;
};

/** The values of the fields of some kinds, wherever they stand in a document. */
const collectValues = (fields: Fields, value: unknown, ...kinds: readonly Personal[]): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const kind = fields.get(name)?.kind;
    // A business's own document may have fields of any name.
    if (kind === 'metadata') return [];
    return [...(kind && kinds.includes(kind) ? [item] : []), ...collectValues(fields, item, ...kinds)];
  });
};

/** How a document is searched for a payer, and how it is erased. The document stays as it is. */
export interface Eraser {
  /** Whether one of the addresses in it is the payer's. */
  readonly shows: (payer: ErasedPayer, document: unknown) => boolean;
  readonly erase: <Document>(payer: ErasedPayer, document: Document) => Document;
}

/** Erases stored objects of these schemas, and answers and events that show them: by the marks of their fields (personal.ts). */
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
          : eraseValues(value, finder(identifiers));
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
