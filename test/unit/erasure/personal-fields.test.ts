import {
  type ErasedPayer,
  erasedAddress,
  eraseInMetadata,
  eraseText,
  isErasedAddress,
} from '#shared/erasure/domain/personal-fields.ts';
import { eraseInBody, showsPayer } from '#shared/erasure/store/payer-bodies.ts';

const REPLACEMENT = erasedAddress('log_01KDVDNX1Q0Y8J6W6KZ0H3S5TA');
const PAYER: ErasedPayer = {
  businessId: 'biz_1',
  addresses: ['tunde@payer.example', REPLACEMENT],
  replacement: REPLACEMENT,
  also: [],
};

test('an erased address can be recognised, and reaches nobody', () => {
  expect(REPLACEMENT).toBe('erased-01kdvdnx1q0y8j6w6kz0h3s5ta@erased.invalid');
  expect([isErasedAddress(REPLACEMENT), isErasedAddress('tunde@payer.example')]).toEqual([true, false]);
});

describe('metadata', () => {
  const known = { texts: ['tunde@payer.example', 'Tunde Bakare', 'Al'], phones: ['+234 803 123 4567'] };
  test.each([
    ['an address within a text', { note: 'mail TUNDE@payer.example first' }, { note: '***' }],
    ['a name, and one word of it alone', { who: 'Tunde Bakare', first: 'tunde' }, { who: '***', first: '***' }],
    [
      'a whole word, but not a part of another word',
      { shop: 'Tundeville', al: 'Also' },
      { shop: 'Tundeville', '**': 'Also' },
    ],
    ['a number in any form', { a: '0803-123-4567', b: 2348031234567, c: 803 }, { a: '***', b: '***', c: 803 }],
    [
      'values within lists and objects, and names of fields',
      { 'tunde@payer.example': [{ x: ['Tunde Bakare', 1] }] },
      { '***': [{ x: ['***', 1] }] },
    ],
  ])('loses what identifies the payer: %s', (_, before, after) => {
    expect(JSON.parse(eraseInMetadata(JSON.stringify(before), known) ?? '')).toEqual(after);
  });

  test('keeps every digit if it has nothing of the payer', () => {
    const written = '{"order": 12345678901234567890, "cart":"ankara"}';
    expect(eraseInMetadata(written, known)).toBe(written);
    expect(eraseInMetadata(null, known)).toBeNull();
  });

  test('never grows', () => {
    const before = JSON.stringify({ a: 'Al', b: 'tunde' });
    expect((eraseInMetadata(before, known) ?? '').length).toBeLessThanOrEqual(before.length);
  });
});

describe("a business's own text", () => {
  const known = { texts: ['tunde@payer.example', 'Tunde Bakare'], phones: ['+2348031234567'] };
  test.each([
    'For Tunde Bakare, with love',
    'https://shop.example/done?mail=tunde%40payer.example',
    'https://shop.example/done?name=Tunde+Bakare&order=1',
    'https://shop.example/08031234567',
  ])('disappears if it shows the payer: %s', (text) => {
    expect(eraseText(text, known)).toBeNull();
    const body = JSON.stringify({
      payer_email: 'tunde@payer.example',
      payer_name: 'Tunde Bakare',
      description: text,
      callback_url: text,
    });
    const withPhone = { ...PAYER, also: ['08031234567'] };
    expect(JSON.parse(eraseInBody(withPhone, body))).toMatchObject({ description: null, callback_url: null });
  });

  test.each(['Order 1042', '100% cotton', 'https://shop.example/done?order=%zz', null])(
    'stays otherwise: %j',
    (text) => {
      expect(eraseText(text, known)).toBe(text);
      const body = JSON.stringify({ payer_email: 'tunde@payer.example', description: text, cancel_url: text });
      expect(JSON.parse(eraseInBody(PAYER, body))).toMatchObject({ description: text, cancel_url: text });
    },
  );
});

describe('the body of an event or an answer', () => {
  const checkout = {
    reference: 'PAY-1',
    amount: 8_500.75,
    payer_email: 'Tunde@Payer.example',
    payer_name: null,
    account_name: 'SIMSHOP / TUNDE',
    sender_name: 'Ifeoma Obi',
    metadata: { payer_email: 'somebody@else.example', mail: 'tunde@payer.example' },
    payments: [{ amount: 8_500.75, sender_name: 'Ifeoma Obi', sender_bank: 'Wema Bank' }],
  };

  test('shows a payer by an address in its own fields, but not by one in the business’s metadata', () => {
    expect(showsPayer(PAYER, JSON.stringify({ data: checkout }))).toBe(true);
    expect(showsPayer(PAYER, JSON.stringify({ data: { virtual_account: { customer_email: REPLACEMENT } } }))).toBe(
      true,
    );
    expect(showsPayer({ ...PAYER, addresses: ['somebody@else.example'] }, JSON.stringify({ data: checkout }))).toBe(
      false,
    );
    for (const body of ['', '{', 'null', '[]']) expect(showsPayer(PAYER, body)).toBe(false);
  });

  test('keeps all fields that do not identify the payer', () => {
    const erased = JSON.parse(eraseInBody(PAYER, JSON.stringify({ id: 'evt_1', data: checkout })));
    expect(erased).toEqual({
      id: 'evt_1',
      data: {
        ...checkout,
        payer_email: REPLACEMENT,
        account_name: 'Erased',
        sender_name: null,
        metadata: { payer_email: 'somebody@else.example', mail: '***' },
        payments: [{ amount: 8_500.75, sender_name: null, sender_bank: null }],
      },
    });
    expect(JSON.parse(eraseInBody(PAYER, JSON.stringify(erased)))).toEqual(erased);
  });
});
