import * as z from 'zod/mini';
import { koboIfValid, koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { isSigned } from '#shared/adapters/providers/common/signature.ts';
import { ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import { notice } from '#shared/domain/money/notice.ts';
import type { ReportedRejection } from '#shared/domain/money/report.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import type { MonnifySettings } from './description.ts';
import type { Access } from './session.ts';
import { product, RESERVED_ACCOUNT, senderOf, senders } from './transaction.ts';

const SIGNATURE_HEADER = 'monnify-signature';

const NOTHING = notice();

const notification = z.object({
  eventType: text,
  eventData: z.object({
    transactionReference: nonEmptyString,
    paymentReference: z.catch(z.nullish(nonEmptyString), null),
    product,
    paymentSourceInformation: senders,
  }),
});
type EventData = z.infer<typeof notification>['eventData'];

const parse = (raw: Uint8Array): z.infer<typeof notification> | undefined => {
  try {
    return notification.safeParse(JSON.parse(Buffer.from(raw).toString('utf8'))).data;
  } catch {
    return undefined;
  }
};

/** The rejected transfers that a notification reports; empty when it does not say for whom they were, or how much. */
const rejectionsOf = (data: EventData): ReportedRejection[] => {
  const reference = data.product?.type === RESERVED_ACCOUNT ? data.product.reference : data.paymentReference;
  if (!reference) return [];
  return data.paymentSourceInformation.flatMap((sender) => {
    const amount = koboIfValid(koboOfNaira, sender.amountPaid);
    if (amount === undefined) return [];
    return {
      kind: 'rejection',
      // Several transfers of one transaction may be rejected. Only the session id distinguishes them.
      rejectionId: sender.sessionId || `rejected-${amount}`,
      payee: { by: 'our_reference', reference },
      providerReference: data.transactionReference,
      amount,
      fee: ZERO_KOBO,
      // `created_on` is when the transaction was initialised, before anybody paid.
      paidAt: null,
      ...senderOf(sender),
    };
  });
};

/** Authenticates and reads Monnify's notifications (providers.md section 2.5). They are signed over the raw bytes with the client secret. */
export const notifications = (
  { unsignedNotifications }: MonnifySettings,
  { credentials }: Pick<Access, 'credentials'>,
): Pick<LiveProvider, 'authenticate' | 'signedPart' | 'read'> => ({
  authenticate: async (headers, raw) => {
    const signature = headers[SIGNATURE_HEADER];
    if (signature === undefined) return unsignedNotifications;
    const { secretKey, previousSecretKey } = await credentials();
    return isSigned('sha512', signature, raw, [secretKey, ...(previousSecretKey ? [previousSecretKey] : [])]);
  },

  signedPart: (raw) => raw,

  read: (raw) => {
    const { eventType, eventData } = parse(raw) ?? {};
    if (!eventData) return NOTHING;
    const query = notice({ queries: [{ by: 'transaction', value: eventData.transactionReference }] });
    if (eventType === 'SUCCESSFUL_TRANSACTION') return query;
    if (eventType !== 'REJECTED_PAYMENT') return NOTHING;
    // Where unsigned notifications are accepted, any of them is a hint only: `read` does not know which were signed.
    const rejected = unsignedNotifications ? [] : rejectionsOf(eventData);
    return rejected.length > 0 ? notice({ rejected }) : query;
  },
});
