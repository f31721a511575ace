import { type Payment, payment } from '#shared/payments/domain/payment.ts';
import { findPayment } from '#shared/payments/use-cases/find-payment.ts';
import { timeOfId } from '#shared/platform/kernel/ids.ts';
import { DAY, SECOND } from '#shared/platform/kernel/time.ts';

const ID = 'pay_01M7WKNY384ZGS1636AYP9P4H0';
const RECORDED = payment.parse({
  id: ID,
  mode: 'live',
  businessId: 'biz_01M7WF0QK4Z8N2T6V9X3C5B7DE',
  provider: 'paystack',
  owner: { kind: 'checkout', reference: 'PAY-LCSVC1BGZHIB6M8LGHWN' },
  origin: { kind: 'transfer', transferId: '1' },
  providerReference: 'trf_1',
  amount: 850_075,
  fee: 0,
  paidAt: Date.UTC(2026, 10, 20, 12),
  senderName: null,
  senderBank: null,
  outcome: 'accepted',
  late: false,
  recordedAt: timeOfId(ID),
});

/**
 * Finds the payment through an index that shows the payment only from look number `firstLookWithPayment` on. `after`: milliseconds since the
 * payment was recorded. Returns the payment and the number of looks.
 */
const look = async (firstLookWithPayment: number, after: number, id = ID): Promise<[Payment | undefined, number]> => {
  let looks = 0;
  let now = timeOfId(ID) + after;
  const deps = {
    now: () => now,
    wait: async (milliseconds: number) => {
      now += milliseconds;
    },
    payments: {
      listByOwner: async () => ({ items: [], next: null }),
      find: async () => {
        looks += 1;
        return looks >= firstLookWithPayment ? RECORDED : undefined;
      },
    },
  };
  return [await findPayment(deps, RECORDED, id), looks];
};

test.each([
  ['once for an old payment that is in the index', 1, DAY, RECORDED, 1],
  ['again for a payment that was just recorded', 3, SECOND, RECORDED, 3],
  ['four times at most', 5, SECOND, undefined, 4],
  ['only once if the index must show the payment by now', 2, 11 * SECOND, undefined, 1],
])('finding a payment looks %s', async (_, firstLookWithPayment, after, payment, looks) => {
  expect(await look(firstLookWithPayment, after)).toEqual([payment, looks]);
});

test('finding a payment does not look for an invalid id', async () => {
  expect(await look(1, SECOND, 'pay_1')).toEqual([undefined, 0]);
});
