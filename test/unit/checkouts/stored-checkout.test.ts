import { newAttempt } from '#shared/checkouts/domain/attempt.ts';
import { checkout, MAX_EMBEDDED_PAYMENTS } from '#shared/checkouts/domain/checkout.ts';
import { EMPTY_TOTAL } from '#shared/checkouts/domain/cumulative-report.ts';
import { formerOwner } from '#shared/checkouts/domain/merchant-reference.ts';
import { summarizePayment } from '#shared/payments/domain/payment.ts';
import { NOON, naira, paymentOf, pendingCheckout, shownAttempt } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const stored = pendingCheckout({
  payments: [summarizePayment(paymentOf())],
  totals: { [REFERENCE]: { ...EMPTY_TOTAL, falls: 1 } },
  announcedReturns: [{ transaction: 'txn-1', amount: naira(5), reportedBy: 'look_up', times: 1 }],
});
const paid = { ...stored, status: 'paid', paidAt: NOON, senderName: null, senderBank: 'Kuda Microfinance Bank' };

describe('a stored checkout', () => {
  test.each<[string, object]>([
    ['pending', stored],
    ['underpaid', { ...stored, status: 'underpaid' }],
    ['paid', paid],
    ['expired', { ...stored, status: 'expired' }],
    ['failed', { ...stored, status: 'failed' }],
  ])('can be read in status %s', (_, state) => {
    expectEveryFieldRequired(checkout, state);
  });

  test.each<[string, object]>([
    ['another status', { status: 'opening' }],
    ['version 0', { version: 0 }],
    ['revision 0', { revision: 0 }],
    ['no attempt', { attempts: [] }],
    ['four attempts', { attempts: Array.from({ length: 4 }, () => shownAttempt()) }],
    ['no attempt that was shown', { attempts: [newAttempt('paystack', REFERENCE, { openedAt: 0, expiresAt: 1 })] }],
    ['a shown attempt without an account', { attempts: [{ ...shownAttempt(), account: undefined }] }],
    ['a negative number of look-ups', { attempts: [shownAttempt({ lookUps: -1 })] }],
    ['an empty total', { totals: { [REFERENCE]: {} } }],
    ['an empty return', { announcedReturns: [{}] }],
    ['an empty payment', { payments: [{}] }],
  ])('cannot be read with %s', (_, wrong) => {
    expect(checkout.safeParse({ ...stored, ...wrong }).success).toBe(false);
  });

  test('contains at most twenty payments', () => {
    const payments = Array.from({ length: 20 }, () => summarizePayment(paymentOf()));
    expect(MAX_EMBEDDED_PAYMENTS).toBe(20);
    expect(checkout.safeParse({ ...stored, payments }).success).toBe(true);
    expect(checkout.safeParse({ ...stored, payments: [...payments, summarizePayment(paymentOf())] }).success).toBe(
      false,
    );
  });
});

test.each(['secret', 'public', 'dashboard'])('a stored checkout made with “%s” can be read', (createdWith) => {
  expect(checkout.parse({ ...stored, createdWith })).toEqual({ ...stored, createdWith });
});

test('the former owner of a merchant reference is stored with its reference and revision', () => {
  expectEveryFieldRequired(formerOwner, { reference: REFERENCE, revision: 2 });
});
