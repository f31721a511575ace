import { paymentCsv } from '#shared/contract/money/payment-csv.ts';
import { type Payment, payment } from '#shared/domain/money/payment.ts';

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

/** The cell of the sender's name. */
const senderCell = (senderName: string | null): string => {
  const row = paymentCsv([recorded(senderName)]).slice(HEADER.length + 2);
  const before = 'PAY-LCSVC1BGZHIB6M8LGHWN,ORDER-2026-00417,,';
  return row.slice(row.indexOf(before) + before.length, row.indexOf(',Kuda,'));
};

test('is a header row and a row for each payment', () => {
  expect(paymentCsv([])).toBe(`${HEADER}\r\n`);
  expect(paymentCsv([recorded('TUNDE BAKARE')])).toBe(
    `${HEADER}\r\npay_01M7WKNY384ZGS1636AYP9P4H0,2026-11-20T12:00:01.000000Z,2026-11-20T12:00:00.000000Z,live,accepted,NGN,8500.75,0,false,PAY-LCSVC1BGZHIB6M8LGHWN,ORDER-2026-00417,,TUNDE BAKARE,Kuda,paystack,trf_1\r\n`,
  );
});

test('a reference, which a browser with a public key may write, is no formula either', () => {
  expect(paymentCsv([{ ...recorded(null), merchantReference: '=1+1' }])).toContain(",PAY-LCSVC1BGZHIB6M8LGHWN,'=1+1,");
});

test.each([
  ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
  ['+2348031234567', `'+2348031234567`],
  ['-1', `'-1`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `'\t=1`],
  ['\r=1', `"'\r=1"`],
  ['Eze, Chidi', '"Eze, Chidi"'],
  ['Chidi "Mo" Eze', '"Chidi ""Mo"" Eze"'],
  ['one\ntwo', '"one\ntwo"'],
  ['a=b', 'a=b'],
  ['Adé', 'Adé'],
  ['', ''],
  [null, ''],
])('writes a sender called %j as %j', (name, cell) => {
  expect(senderCell(name)).toBe(cell);
});
