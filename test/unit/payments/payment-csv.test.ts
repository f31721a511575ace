import { paymentCsv } from '#shared/payments/contract/payment-csv.ts';
import { type Payment, payment } from '#shared/payments/domain/payment.ts';
import { readCsv, removeFormulaGuard } from '#test/support/read-csv.ts';

const recorded = (senderName: string | null): Payment =>
  payment.parse({
    id: 'pay_01M7WKNY384ZGS1636AYP9P4H0',
    mode: 'live',
    businessId: 'biz_01M7WF0QK4Z8N2T6V9X3C5B7DE',
    provider: 'paystack',
    owner: { kind: 'checkout', reference: 'PAY-LCSVC1BGZHIB6M8LGHWN' },
    merchantReference: 'ORDER-2026-00417',
    origin: { kind: 'transfer', transferId: '1' },
    providerReference: 'trf_1',
    amount: 850_075,
    fee: 0,
    paidAt: Date.UTC(2026, 10, 20, 12),
    senderName,
    senderBank: 'Kuda',
    outcome: 'accepted',
    late: false,
    recordedAt: Date.UTC(2026, 10, 20, 12, 0, 1),
  });

const HEADER =
  'id,recorded_at,paid_at,mode,outcome,currency,amount,fee,late,checkout_reference,merchant_reference,virtual_account_id,sender_name,sender_bank,provider,provider_reference';

test('the CSV file has a header row and a row for each payment, with texts in quotes', () => {
  expect(paymentCsv([])).toBe(`${HEADER}\r\n`);
  expect(paymentCsv([recorded('TUNDE BAKARE')])).toBe(
    `${HEADER}\r\n"pay_01M7WKNY384ZGS1636AYP9P4H0","2026-11-20T12:00:01.000000Z","2026-11-20T12:00:00.000000Z","live","accepted","NGN",8500.75,0,false,"PAY-LCSVC1BGZHIB6M8LGHWN","ORDER-2026-00417",,"TUNDE BAKARE","Kuda","paystack","trf_1"\r\n`,
  );
});

test.each([
  ['=HYPERLINK("https://evil.example","x")', `'=HYPERLINK("https://evil.example","x")`],
  ['＝1+1', `'＝1+1`],
  ['\r=1', `'\r=1`],
  ['Eze, "Mo"\nChidi', 'Eze, "Mo"\nChidi'],
])('a name or reference chosen by a stranger never becomes a formula: %j', (text, cellText) => {
  const { rows } = readCsv(paymentCsv([{ ...recorded(text), senderBank: text, merchantReference: text }]));
  const cell = { text: cellText, isQuoted: true };
  expect(rows).toEqual([expect.objectContaining({ sender_name: cell, sender_bank: cell, merchant_reference: cell })]);
  expect(removeFormulaGuard(cellText)).toBe(text);
});

test('a payment without a sender has an empty cell', () => {
  expect(readCsv(paymentCsv([recorded(null)])).rows[0]?.sender_name).toEqual({ text: '', isQuoted: false });
});
