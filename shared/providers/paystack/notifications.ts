import * as z from 'zod/mini';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { parseKobo, parseKoboIfValid } from '#shared/providers/common/money.ts';
import { isSigned } from '#shared/providers/common/signature.ts';
import { identifier, writtenReference } from '#shared/providers/common/texts.ts';
import { makeContent, type NotificationContent } from '#shared/providers/domain/notification-content.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { buildChargeQuery, buildReferenceQuery } from './channels.ts';
import type { ReadPaystackCredentials } from './client.ts';
import { parseCustomerAddress } from './customer-address.ts';
import { idText } from './fields.ts';

const creditFields = z.object({ reference: writtenReference, channel: text });
const refundFields = z.object({
  transaction_reference: writtenReference,
  // The refund's own id is in `refund_reference` or in `id`. Only some events have both (providers.md section 1.5).
  refund_reference: z.catch(z.nullable(identifier), null),
  id: z.catch(z.nullable(idText), null),
  amount: z.optional(z.unknown()),
});
const rejectionFields = z.object({
  bank_transfer: z.object({ amount: z.union([text, z.number()]), transaction_id: idText }),
  customer: z.object({ email: text }),
});
/** The two forms of events about a customer. An event of another form is ignored, because no event about a customer is about money. */
const customerEvent = z.catch(z.object({ customer: z.object({ email: text }) }), { customer: { email: '' } });
const identificationEvent = z.catch(z.object({ email: text }), { email: '' });

const notification = z.object({ event: text, data: z.unknown() });

const NOTHING = makeContent();

/** Reads `charge.success`: money came in (providers.md section 1.5). */
const readCredit = (data: unknown): NotificationContent => {
  const { reference, channel } = creditFields.parse(data);
  const query = buildChargeQuery(channel, reference);
  return query ? makeContent({ queries: [query] }) : NOTHING;
};

/** Reads `refund.failed` and `refund.needs-attention`. The look-up tells the state of the payment. */
const readRefund = (data: unknown, problem: NotificationContent['problem'] = null): NotificationContent =>
  makeContent({ queries: [buildReferenceQuery(refundFields.parse(data).transaction_reference)], problem });

/**
 * Reads `refund.processed`. The refund is recorded under its own id, even if the look-up does not show it. If it has no id, the look-up or a
 * person decides.
 */
const readPaidRefund = (data: unknown): NotificationContent => {
  const { transaction_reference, refund_reference, id, amount } = refundFields.parse(data);
  const query = buildReferenceQuery(transaction_reference);
  const ownId = refund_reference ?? id;
  const refundedAmount = parseKoboIfValid(parseKobo, amount);
  // Nothing is recorded without an amount: a refund of zero would take the id of the real refund, which would later count as known.
  if (!refundedAmount) return makeContent({ queries: [query], problem: 'unreadable' });
  return makeContent({ queries: [query], refunds: [{ query, refund: { id: ownId, amount: refundedAmount } }] });
};

/**
 * Reads `bank.transfer.rejected`: a transfer was returned on arrival, for a wrong amount or on suspicion of fraud. The event has neither a
 * reference nor a time. It is not confirmed that a look-up shows the transfer (providers.md section 1.5), so the notification itself is the
 * report.
 */
const readRejection = (data: unknown, domain: string): NotificationContent => {
  const { bank_transfer, customer } = rejectionFields.parse(data);
  const payee = parseCustomerAddress(customer.email, domain);
  if (payee === undefined) return NOTHING;
  const amount = parseKobo(bank_transfer.amount);
  return makeContent({
    rejected: [
      {
        kind: 'rejection',
        rejectionId: `rejected-${amount}`,
        providerReference: bank_transfer.transaction_id,
        payee: { by: 'our_reference', reference: payee },
        amount,
        fee: ZERO_KOBO,
        paidAt: null,
        senderName: null,
        senderBank: null,
      },
    ],
  });
};

/** Reads the outcome of opening the virtual account of the customer with this address; nothing if the customer is not ours. */
const readAccountOutcome = (address: string, domain: string, outcome: 'issued' | 'refused'): NotificationContent => {
  const account = parseCustomerAddress(address, domain);
  return account === undefined ? NOTHING : makeContent({ accounts: [{ reference: account, outcome }] });
};

/** Authenticates and reads Paystack's notifications. Our secret key signs the raw bytes (providers.md section 1.5). */
export const notifications = (
  credentials: ReadPaystackCredentials,
  { customerEmailDomain: domain }: { readonly customerEmailDomain: string },
): Pick<LiveProvider, 'authenticate' | 'signedPart' | 'read'> => {
  const readContent = ({ event, data }: z.infer<typeof notification>): NotificationContent => {
    switch (event) {
      case 'charge.success':
        return readCredit(data);
      case 'bank.transfer.rejected':
        return readRejection(data, domain);
      case 'refund.processed':
        return readPaidRefund(data);
      case 'refund.failed':
        return readRefund(data);
      case 'refund.needs-attention':
        return readRefund(data, 'refund_needs_attention');
      case 'dedicatedaccount.assign.success':
        return readAccountOutcome(customerEvent.parse(data).customer.email, domain, 'issued');
      case 'dedicatedaccount.assign.failed':
        return readAccountOutcome(customerEvent.parse(data).customer.email, domain, 'refused');
      case 'customeridentification.success':
        return readAccountOutcome(identificationEvent.parse(data).email, domain, 'issued');
      case 'customeridentification.failed':
        return readAccountOutcome(identificationEvent.parse(data).email, domain, 'refused');
      default:
        return NOTHING;
    }
  };
  return {
    authenticate: async (headers, raw) => {
      const { secretKey, previousSecretKey } = await credentials();
      const secrets = previousSecretKey === undefined ? [secretKey] : [secretKey, previousSecretKey];
      return isSigned('sha512', headers['x-paystack-signature'], raw, secrets);
    },
    signedPart: (raw) => raw,
    read: (raw) => {
      try {
        return readContent(notification.parse(JSON.parse(new TextDecoder().decode(raw))));
      } catch {
        return makeContent({ problem: 'unreadable' });
      }
    },
  };
};
