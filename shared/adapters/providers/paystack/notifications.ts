import * as z from 'zod/mini';
import { koboOf } from '#shared/adapters/providers/common/money.ts';
import { isSigned } from '#shared/adapters/providers/common/signature.ts';
import { ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import { type Notice, notice } from '#shared/domain/money/notice.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { queryOfCharge, queryOfReference } from './channels.ts';
import type { ReadPaystackCredentials } from './client.ts';
import { referenceOfAddress } from './customer-address.ts';
import { idText } from './fields.ts';

const reference = nonEmptyString;

const credited = z.object({ reference, channel: text });
const refunded = z.object({ transaction_reference: reference });
const rejected = z.object({
  bank_transfer: z.object({ amount: z.union([text, z.number()]), transaction_id: idText }),
  customer: z.object({ email: text }),
});

const notification = z.object({ event: text, data: z.unknown() });

const NOTHING = notice();

/** `charge.success`: money came in (providers.md section 1.5). */
const noticeOfCredit = (data: unknown): Notice => {
  const { reference: paid, channel } = credited.parse(data);
  const query = queryOfCharge(channel, paid);
  return query ? notice({ queries: [query] }) : NOTHING;
};

/** `refund.processed`, `refund.failed`: the look-up reports whether the payment was reversed or reinstated. */
const noticeOfRefund = (data: unknown): Notice =>
  notice({ queries: [queryOfReference(refunded.parse(data).transaction_reference)] });

/**
 * `bank.transfer.rejected`: a transfer was returned on arrival, for a wrong amount or on suspicion of fraud. It has neither a reference nor
 * a time, and it is not confirmed that a look-up shows it (providers.md section 1.5), so the notification itself is the report.
 */
const noticeOfRejection = (data: unknown, domain: string): Notice => {
  const { bank_transfer, customer } = rejected.parse(data);
  const payee = referenceOfAddress(customer.email, domain);
  if (payee === undefined) return NOTHING;
  const amount = koboOf(bank_transfer.amount);
  return notice({
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

/** Authenticates and reads Paystack's notifications. They are signed over the raw bytes with our secret key (providers.md section 1.5). */
export const notifications = (
  credentials: ReadPaystackCredentials,
  { customerEmailDomain }: { readonly customerEmailDomain: string },
): Pick<LiveProvider, 'authenticate' | 'signedPart' | 'read'> => {
  const noticeOf = ({ event, data }: z.infer<typeof notification>): Notice => {
    switch (event) {
      case 'charge.success':
        return noticeOfCredit(data);
      case 'bank.transfer.rejected':
        return noticeOfRejection(data, customerEmailDomain);
      case 'refund.processed':
      case 'refund.failed':
        return noticeOfRefund(data);
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
        return noticeOf(notification.parse(JSON.parse(new TextDecoder().decode(raw))));
      } catch {
        return notice({ problem: 'unreadable' });
      }
    },
  };
};
