import * as z from 'zod/mini';
import { kobo } from '#shared/platform/kernel/money.ts';
import { count, nonEmptyString, ordinal } from '#shared/platform/kernel/schemas.ts';

/** One transfer, under the provider's own id. `reinstatements`: how often it was reinstated; absent means never. */
const transferSource = z.object({
  kind: z.literal('transfer'),
  transferId: nonEmptyString,
  reinstatements: z.optional(ordinal),
});

/** Money of a transaction that the provider rejected on arrival, known from a notification only. The transaction itself may still be paid. */
const rejectionSource = z.object({
  kind: z.literal('rejection'),
  transaction: nonEmptyString,
  rejectionId: nonEmptyString,
});

/** All money that a provider keeps under one reference of ours, where it reports no single transfers. */
const totalSource = z.object({ kind: z.literal('cumulative_report'), reference: nonEmptyString });

/** What a provider reports money under. */
export const sourceId = z.discriminatedUnion('kind', [transferSource, rejectionSource, totalSource]);
export type SourceId = z.infer<typeof sourceId>;

/**
 * What makes a payment unique within its mode and provider. A cumulative report consists of several payments. Each `part` has the total
 * (kobo) that it reached and how often the total had fallen before; what was `returned` without having counted has the sum of all
 * returns (kobo) by then. The `rest` of a transfer is what its refunds left of it; `refunded` is their sum (kobo).
 */
export const paymentOrigin = z.discriminatedUnion('kind', [
  transferSource,
  rejectionSource,
  z.object({ kind: z.literal('part'), reference: nonEmptyString, reached: kobo, falls: count }),
  z.object({ kind: z.literal('returned'), reference: nonEmptyString, returned: kobo }),
  z.extend(transferSource, { kind: z.literal('rest'), refunded: kobo }),
]);
export type PaymentOrigin = z.infer<typeof paymentOrigin>;

/** A source that is one payment. */
export type SingleSource = Exclude<SourceId, { kind: 'cumulative_report' }>;
