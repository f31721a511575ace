import * as z from 'zod/mini';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { parseKoboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { isSigned } from '#shared/providers/common/signature.ts';
import { makeContent, type NotificationContent } from '#shared/providers/domain/notification-content.ts';
import type { PaymentQuery, ReportedRejection } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import type { MonnifySettings } from './description.ts';
import {
  optionalIdentifier,
  optionalNaira,
  optionalPayee,
  product,
  RESERVED_ACCOUNT,
  type Sender,
  senders,
  toSenderFields,
  word,
} from './fields.ts';
import type { Access } from './session.ts';

const SIGNATURE_HEADER = 'monnify-signature';

const UNREADABLE = makeContent({ problem: 'unreadable' });

/** Matches events that are certainly not about incoming money (providers.md section 2.5). */
const NOT_INCOMING = /_DISBURSEMENT$|^(SETTLEMENT|MANDATE_UPDATE|ACCOUNT_ACTIVITY|LOW_BALANCE_ALERT)$/;

const notification = z.object({ eventType: word, eventData: z.optional(z.unknown()) });

const eventFields = z.object({
  transactionReference: optionalIdentifier,
  paymentReference: optionalPayee,
  product,
  paymentSourceInformation: senders,
  refundStatus: word,
  refundAmount: optionalNaira,
  refundReference: optionalIdentifier,
});
type EventData = z.infer<typeof eventFields>;

const parse = (raw: Uint8Array): z.infer<typeof notification> | undefined => {
  try {
    return notification.safeParse(JSON.parse(Buffer.from(raw).toString('utf8'))).data;
  } catch {
    return undefined;
  }
};

/** Converts a sender of a rejected transfer to a rejection; undefined if the payee or the amount is missing. */
const toRejection = (transaction: string, data: EventData, sender: Sender): ReportedRejection | undefined => {
  const reference = data.product?.type === RESERVED_ACCOUNT ? data.product.reference : data.paymentReference;
  const amount = parseKoboIfValid(parseNaira, sender.amountPaid);
  if (!reference || amount === undefined) return undefined;
  return {
    kind: 'rejection',
    // Several transfers of one transaction may be rejected. Only the session id distinguishes them.
    rejectionId: sender.sessionId || `rejected-${amount}`,
    payee: { by: 'our_reference', reference },
    providerReference: transaction,
    amount,
    fee: ZERO_KOBO,
    // `created_on` is the time when the transaction was initialised, and not the time of payment.
    paidAt: null,
    ...toSenderFields(sender),
  };
};

/**
 * Reads the rejected transfers of a notification. If one of them is unreadable, the transaction is looked up, too. The look-up may not show the
 * rejected transfer.
 */
const readRejected = (query: PaymentQuery, data: EventData): NotificationContent => {
  const all = data.paymentSourceInformation.map((sender) => toRejection(query.value, data, sender));
  const rejected = all.filter((entry) => entry !== undefined);
  const isRead = rejected.length === all.length && all.length > 0;
  return isRead ? makeContent({ rejected }) : makeContent({ rejected, queries: [query], problem: 'unreadable' });
};

/** Statuses of a refund that was paid out. Any other status contradicts the event. */
const PAID_OUT: readonly string[] = ['', 'COMPLETED', 'SUCCESS', 'SUCCESSFUL'];

const readRefundedNotice = (
  query: PaymentQuery,
  { refundStatus, refundAmount, refundReference }: EventData,
): NotificationContent => {
  const queries = [query];
  const amount = parseKoboIfValid(parseNaira, refundAmount);
  if (!refundReference || !amount || !PAID_OUT.includes(refundStatus))
    return makeContent({ queries, problem: 'unreadable' });
  return makeContent({ queries, refunds: [{ query, refund: { id: refundReference, amount } }] });
};

const read = (raw: Uint8Array): NotificationContent => {
  const { eventType, eventData } = parse(raw) ?? {};
  if (eventType !== undefined && NOT_INCOMING.test(eventType)) return makeContent();
  const { data } = eventFields.safeParse(eventData);
  if (!eventType || !data?.transactionReference) return UNREADABLE;
  const query = { by: 'transaction', value: data.transactionReference } as const;
  if (eventType === 'REJECTED_PAYMENT') return readRejected(query, data);
  if (eventType === 'SUCCESSFUL_REFUND') return readRefundedNotice(query, data);
  // A payment, a failed refund, or an unknown event: the look-up decides.
  return makeContent({ queries: [query] });
};

/** Authenticates and reads Monnify's notifications (providers.md section 2.5). The client secret signs the raw bytes. */
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
    const content = read(raw);
    if (!unsignedNotifications) return content;
    // Every notification is only a hint, because `read` does not know whether it was signed: a stranger must not report money or alarm operators.
    const hintedQueries = content.rejected.map(
      ({ providerReference: value }) => ({ by: 'transaction', value }) as const,
    );
    return makeContent({ queries: content.queries.length > 0 ? content.queries : hintedQueries.slice(0, 1) });
  },
});
