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
 * Identifies a payment within its mode and provider. A transfer or a rejection is one payment. A cumulative report may become several payments: parts
 * and returns.
 * - `part`: the kept sum grew to `reached` kobo. `falls` is how often it had fallen before, because the same sum may be reached again after a fall.
 * - `returned`: money that went back before it counted. `returned` is the sum of all returns by then, in kobo.
 * - `rest`: the remainder of a transfer after its refunds. `refunded` is the sum of the refunds, in kobo.
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
