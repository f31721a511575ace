import * as z from 'zod/mini';
import { checkoutReference, idSchema } from '#shared/domain/ids.ts';
import { MAX_METADATA_BYTES } from '#shared/domain/metadata.ts';
import { mode } from '#shared/domain/mode.ts';
import { koboFromNaira } from '#shared/domain/money.ts';
import { providerName } from '#shared/domain/provider.ts';

/** The building bricks of requests and answers: each rule of api.md sections 1 to 4 once. */

export const nothing = z.object({});

/** A naira number with at most two decimals, between the two bounds; parsed to kobo. */
export const naira = (min: number, max: number) =>
  z.pipe(
    z
      .number('must be a number in naira.')
      .check(z.gte(min, `must be at least ${min}.`), z.lte(max, `must be at most ${max}.`)),
    z.transform((value, context) => {
      const amount = koboFromNaira(value);
      if (amount !== undefined) return amount;
      context.issues.push({ code: 'custom', input: value, message: 'must have at most two decimals.' });
      return z.NEVER;
    }),
  );

export const MAX_NAIRA = 100_000_000;
export const SMALLEST_NAIRA = 0.01;

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON text of a value; undefined for one that is nested too deep to be written. */
const jsonText = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};

/** A JSON object, taken as it is: only its size is ours to judge. Parsed to its text. */
export const metadata = z.pipe(
  z.custom<Record<string, unknown>>(isPlainObject, 'must be a JSON object.'),
  z.transform((value, context) => {
    const text = jsonText(value);
    if (text !== undefined && Buffer.byteLength(text) <= MAX_METADATA_BYTES) return text;
    context.issues.push({ code: 'custom', input: value, message: 'must not exceed 2 KiB as JSON.' });
    return z.NEVER;
  }),
);

const MAX_EMAIL = 254;
export const email = z
  .email('must be an e-mail address.')
  .check(z.maxLength(MAX_EMAIL, 'must be at most 254 characters.'));
/** A name or reference that people read: not blank, bounded, no control characters and no halves of characters. */
export const text = (max: number) =>
  z.string('must be a string.').check(
    z.maxLength(max, { error: `must be at most ${max} characters.`, abort: true }),
    z.refine(
      (value) => value.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(value),
      'must not be blank and must not hold control characters.',
    ),
  );
export const phone = z
  .string('must be a string.')
  .check(z.regex(/^\+?[1-9]\d{7,14}$/, 'must be a phone number with its country prefix, such as +2348031234567.'));
export const identityNumber = z.string('must be a string.').check(z.regex(/^\d{11}$/, 'must be 11 digits.'));

/** Sent as null counts as not sent. */
export const optional = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  );

/** The lists' query parameters; the cursor is opaque and checked against the tenant where it is opened. */
export const pageQuery = z.object({
  limit: z._default(
    z.optional(
      z.pipe(
        z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100.')),
        z.transform(Number),
      ),
    ),
    25,
  ),
  cursor: z.optional(z.string().check(z.maxLength(512, 'must be a next_cursor that this list gave you.'))),
});

/** What a provider is called in a request; an unknown one is named in the refusal, next to those we know. */
export const requestedProvider = z.pipe(
  z.string('must be a provider identifier.').check(
    z.maxLength(40, { error: 'must be a provider identifier.', abort: true }),
    z.superRefine((value, context) => {
      if (providerName.safeParse(value).success) return;
      const known = providerName.options.join(', ');
      context.addIssue({ code: 'custom', message: `must be one of ${known}, not ${JSON.stringify(value)}.` });
    }),
  ),
  z.transform((value) => providerName.parse(value)),
);

/**
 * Any id that a path may hold: one that cannot be ours is not found rather than invalid. Cut, so that no key grows with it, and
 * without halves of characters, which the table takes for no text.
 */
export const pathId = z.pipe(
  z.string(),
  z.transform((value) => value.slice(0, 64).toWellFormed()),
);
export const reference = z.object({ reference: pathId });
export const accountId = z.object({ id: pathId });

/* What answers are made of. */

export const instant = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/));
export const amount = z.number().check(z.gte(0));
export const metadataAnswer = z.nullable(z.custom<Record<string, unknown>>(isPlainObject));
export const listMeta = z.object({ has_more: z.boolean(), next_cursor: z.nullable(z.string()) });

export const paymentAnswer = z.object({
  id: idSchema('pay'),
  amount,
  fee: amount,
  outcome: z.enum(['accepted', 'rejected', 'reversed']),
  paid_at: instant,
  late: z.boolean(),
  sender_name: z.nullable(z.string()),
  sender_bank: z.nullable(z.string()),
  provider: providerName,
  provider_reference: z.string(),
});

export const checkoutAnswer = z.object({
  mode,
  reference: checkoutReference,
  amount,
  status: z.enum(['pending', 'underpaid', 'paid', 'expired', 'failed']),
  paid: z.boolean(),
  payer_email: z.string(),
  paid_amount: amount,
  paid_at: z.nullable(instant),
  sender_name: z.nullable(z.string()),
  sender_bank: z.nullable(z.string()),
  currency: z.literal('NGN'),
  amount_to_pay: amount,
  provider: providerName,
  account_number: z.string(),
  account_name: z.string(),
  bank_name: z.string(),
  bank_code: z.nullable(z.string()),
  payer_name: z.nullable(z.string()),
  merchant_reference: z.nullable(z.string()),
  metadata: metadataAnswer,
  expires_at: instant,
  created_at: instant,
  version: z.int(),
  payments: z.array(paymentAnswer),
});

export const virtualAccountAnswer = z.object({
  id: idSchema('va'),
  provider: providerName,
  account_number: z.nullable(z.string()),
  account_name: z.nullable(z.string()),
  bank_name: z.nullable(z.string()),
  bank_code: z.nullable(z.string()),
  customer_name: z.string(),
  customer_phone: z.nullable(z.string()),
  customer_email: z.nullable(z.string()),
  metadata: metadataAnswer,
  mode,
  status: z.enum(['active', 'inactive', 'pending', 'failed']),
  created_at: instant,
  deactivated_at: z.nullable(instant),
});

/** The envelope of a success (api.md section 1). */
export const success = <S extends z.ZodMiniType>(data: S) =>
  z.object({ status: z.literal(true), message: z.optional(z.string()), data });
export const successList = <S extends z.ZodMiniType>(item: S) =>
  z.object({ status: z.literal(true), data: z.array(item), meta: listMeta });
