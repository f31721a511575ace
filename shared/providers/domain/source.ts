import * as z from 'zod/mini';
import { kobo } from '#shared/platform/kernel/money.ts';
import { count, nonEmptyString, ordinal } from '#shared/platform/kernel/schemas.ts';

/** One transfer, identified by the provider's own id. `reinstatements`: how often it was reinstated; absent means never. */
const transferSource = z.object({
  kind: z.literal('transfer'),
  transferId: nonEmptyString,
  reinstatements: z.optional(ordinal),
});

/** Money that the provider rejected on arrival. Only a notification tells of it. The transaction itself may still be paid. */
const rejectionSource = z.object({
  kind: z.literal('rejection'),
  transaction: nonEmptyString,
  rejectionId: nonEmptyString,
});

/** All money that a provider keeps under one of our references, if it reports no single transfers. */
const totalSource = z.object({ kind: z.literal('cumulative_report'), reference: nonEmptyString });

/** The identity under which a provider reports money. */
export const sourceId = z.discriminatedUnion('kind', [transferSource, rejectionSource, totalSource]);
export type SourceId = z.infer<typeof sourceId>;

/**
 * Identifies a payment within its mode and provider. A cumulative report consists of several payments. A `part` has the total (kobo) that it
 * reached, and the number of times that the total had fallen before. A `returned` payment never counted; it has the sum of all returns (kobo)
 * by then. A `rest` is the part of a transfer that its refunds left; `refunded` is their sum (kobo).
 */
export const paymentOrigin = z.discriminatedUnion('kind', [
  transferSource,
  rejectionSource,
  z.object({ kind: z.literal('part'), reference: nonEmptyString, reached: kobo, falls: count }),
  z.object({ kind: z.literal('returned'), reference: nonEmptyString, returned: kobo }),
  z.extend(transferSource, { kind: z.literal('rest'), refunded: kobo }),
]);
export type PaymentOrigin = z.infer<typeof paymentOrigin>;

/** A source that is a single payment. */
export type SingleSource = Exclude<SourceId, { kind: 'cumulative_report' }>;
