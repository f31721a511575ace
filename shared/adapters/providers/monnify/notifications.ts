import * as z from 'zod/mini';
import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { isSigned } from '#shared/adapters/providers/common/signature.ts';
import { type Kobo, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import type { ReportedRejection } from '#shared/domain/money/report.ts';
import type { LiveProvider, Notice } from '#shared/ports/providers.ts';
import type { MonnifySettings } from './description.ts';
import type { Access } from './session.ts';
import { product, RESERVED_ACCOUNT, type Source, senderOf, sources } from './transaction.ts';

const SIGNATURE = 'monnify-signature';

const NOTHING: Notice = { queries: [], rejected: [] };

const notification = z.object({
  eventType: text,
  eventData: z.object({
    transactionReference: nonEmptyString,
    paymentReference: z.catch(z.nullish(nonEmptyString), null),
    product,
    paymentSourceInformation: sources,
  }),
});
type EventData = z.infer<typeof notification>['eventData'];

const parsed = (raw: Uint8Array): z.infer<typeof notification> | undefined => {
  try {
    return notification.safeParse(JSON.parse(Buffer.from(raw).toString('utf8'))).data;
  } catch {
    return undefined;
  }
};

const amountOf = ({ amountPaid }: Source): Kobo | undefined => {
  try {
    return koboOfNaira(amountPaid);
  } catch {
    return undefined;
  }
};

const transfersOf = (data: EventData): ReportedRejection[] => {
  const reference = data.product?.type === RESERVED_ACCOUNT ? data.product.reference : data.paymentReference;
  if (!reference) return [];
  return data.paymentSourceInformation.flatMap((source) => {
    const amount = amountOf(source);
    if (amount === undefined) return [];
    return {
      kind: 'rejection',
      // One transaction may have several transfers rejected; only their session tells them apart.
      rejectionId: source.sessionId || `rejected-${amount}`,
      payee: { by: 'our_reference', reference },
      providerReference: data.transactionReference,
      amount,
      fee: ZERO_KOBO,
      // Its `created_on` is the time of the transaction, which was announced before anybody paid.
      paidAt: null,
      ...senderOf(source),
    };
  });
};

/** Monnify's notifications (providers.md section 2.5): signed over the raw bytes with the client secret, or, where the setting says so, not at all. */
export const notifications = (
  { unsignedNotifications }: MonnifySettings,
  { credentials }: Pick<Access, 'credentials'>,
): Pick<LiveProvider, 'authenticate' | 'read'> => ({
  authenticate: async (headers, raw) => {
    const signature = headers[SIGNATURE];
    if (signature === undefined) return unsignedNotifications;
    const { secretKey, previousSecretKey } = await credentials();
    return isSigned('sha512', signature, raw, [secretKey, ...(previousSecretKey ? [previousSecretKey] : [])]);
  },

  read: (raw) => {
    const { eventType, eventData } = parsed(raw) ?? {};
    if (!eventData) return NOTHING;
    const query: Notice = {
      queries: [{ by: 'transaction', value: eventData.transactionReference }],
      rejected: [],
    };
    if (eventType === 'SUCCESSFUL_TRANSACTION') return query;
    if (eventType !== 'REJECTED_PAYMENT') return NOTHING;
    // What nobody signed is a hint at most, and these bytes no longer tell whether they were signed.
    const rejected = unsignedNotifications ? [] : transfersOf(eventData);
    return rejected.length > 0 ? { queries: [], rejected } : query;
  },
});
