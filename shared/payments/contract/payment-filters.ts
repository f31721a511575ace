import * as z from 'zod/mini';
import { paymentOutcome } from '#shared/payments/domain/payment.ts';
import type { PaymentFilter } from '#shared/payments/domain/payment-filter.ts';
import { email } from '#shared/platform/contract/email.ts';
import { text } from '#shared/platform/contract/request-fields.ts';
import { inOrder, since } from '#shared/platform/contract/since.ts';
import { comparableName } from '#shared/platform/kernel/comparable-name.ts';
import { koboFromNaira } from '#shared/platform/kernel/money.ts';

/** Parses a naira amount in a query parameter to kobo. */
export const nairaText = z.pipe(
  z.string().check(z.regex(/^\d{1,15}(\.\d{1,2})?$/, 'must be a number in naira with at most two decimals.')),
  z.transform((value, context) => {
    const amount = koboFromNaira(Number(value));
    if (amount !== undefined) return amount;
    context.issues.push({ code: 'custom', input: value, message: 'must be a smaller number in naira.' });
    return z.NEVER;
  }),
);

/** A part of a sender's name. Text without a comparable character is rejected, because it can match no name. */
const sender = text(100).check(
  z.refine((value) => comparableName(value) !== '', 'must hold at least one visible character.'),
);

/** The filter parameters of the list and of the export. */
export const paymentFilters = {
  from: z.optional(since),
  to: z.optional(since),
  outcome: z.optional(z.enum(paymentOutcome.options, 'must be accepted, rejected or reversed.')),
  min_amount: z.optional(nairaText),
  max_amount: z.optional(nairaText),
  sender: z.optional(sender),
  payer_email: z.optional(email),
};

/** Checks that no range ends before it begins. */
export const paymentFiltersInOrder = [inOrder('from', 'to'), inOrder('min_amount', 'max_amount')] as const;

const filterQuery = z.object(paymentFilters);

/** Converts query parameters to a filter. */
export const toPaymentFilter = (query: z.infer<typeof filterQuery>): PaymentFilter => ({
  from: query.from ?? null,
  to: query.to ?? null,
  outcome: query.outcome ?? null,
  minAmount: query.min_amount ?? null,
  maxAmount: query.max_amount ?? null,
  sender: query.sender ?? null,
  payerEmail: query.payer_email ?? null,
});
