import { parseSupport } from '#shared/businesses/domain/profile.ts';
import { isPayerAddress } from '#shared/erasure/domain/personal-fields.ts';
import { deriveUserId } from '#shared/members/domain/user.ts';
import { comparableAddress, isSameAddress, parseEmailAddress } from '#shared/platform/kernel/email-address.ts';
import { isPhoneNumber } from '#shared/platform/kernel/phone-number.ts';
import { emailHash } from '#shared/platform/table/email-hash.ts';

const label = (letters: number): string => 'b'.repeat(letters);
/** Makes an address of exactly `length` characters, with 64 before the @. */
const addressOf = (length: number): string => {
  const domain = `${label(63)}.${label(63)}.${label(length - 64 - 1 - 128 - 4)}.com`;
  return `${'a'.repeat(64)}@${domain}`;
};

describe('an e-mail address', () => {
  test.each([
    'a@b.co',
    "o'connor_99@mail.example.ng",
    'Tunde.Bakare+shop@Example.COM',
    '-_+@x-1.example',
    `${'a'.repeat(64)}@example.com`,
    `a@${label(63)}.com`,
    'a@1.example.com',
    'a@example.xn--p1ai',
    'a@xn--mnchen-3ya.de',
    addressOf(254),
  ])('keeps its spelling: %s', (text) => {
    expect(parseEmailAddress(text)).toBe(text);
  });

  test.each([
    ['tunde@münchen.de', 'tunde@xn--mnchen-3ya.de'],
    ['Tunde@MÜNCHEN.de', 'Tunde@xn--mnchen-3ya.de'],
    ['tunde@mu\u0308nchen.de', 'tunde@xn--mnchen-3ya.de'],
    ['tunde@пример.рф', 'tunde@xn--e1afmkfd.xn--p1ai'],
    ['tunde@日本。jp', 'tunde@xn--wgv71a.jp'],
    ['tunde@ｅxample.com', 'tunde@example.com'],
  ])('gets a domain of ASCII letters: %s → %s', (text, address) => {
    expect(parseEmailAddress(text)).toBe(address);
    expect(comparableAddress(` ${text} `)).toBe(address.toLowerCase());
    expect(isSameAddress(text, address.toUpperCase())).toBe(true);
  });

  test.each([
    ...[
      '',
      'a',
      'a@',
      '@b.co',
      'a@b',
      'a@localhost',
      'a@b.c',
      'a@b@c.co',
      'a b@c.co',
      ' a@b.co',
      'a@b.co\n',
      'a@b.co.',
    ],
    ...['.a@b.co', 'a.@b.co', 'a..a@b.co', 'a@b..co', 'a@.co', 'á@b.co', '"a"@b.co', 'A <a@b.co>', 'a@b.co,c@d.co'],
    ...['a@-b.co', 'a@b-.co', 'a@b_c.co', 'a@b.co-', 'a@127.0.0.1', 'a@[127.0.0.1]', 'a@b.123', 'a@１２３.４.５.６'],
    ...['a@é.com/x', 'a@é.com:80', 'a@é.com?x', 'a@é.com#x', 'a@é.com\\x', 'a@é%2ecom', 'a@é .com', 'a@\u200d.com'],
    ...['a@é..com', 'a@\ud800.com', `${'a'.repeat(65)}@example.com`, `a@${label(64)}.com`, `a@${'é'.repeat(60)}.com`],
    addressOf(255),
    `${'a'.repeat(64)}@${'é.'.repeat(90)}com`,
  ])('may not be %j', (text) => {
    expect(parseEmailAddress(text)).toBeUndefined();
  });

  test('does not equal null; a text that is no address is compared in small letters, without spaces around it', () => {
    expect(comparableAddress(' ERASED ')).toBe('erased');
    expect([isSameAddress(null, null), isSameAddress('a@b.co', null), isSameAddress('a@b.co', 'A@B.CO')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('different spellings of an e-mail address', () => {
  const [spelled, ascii] = [' Ada@München.de', 'ada@xn--mnchen-3ya.de'];

  test('mean the same member, who may sign in with either', () => {
    expect(deriveUserId(spelled)).toBe(deriveUserId(ascii));
  });

  test('mean the same payer, in lists and in an erasure', () => {
    expect(emailHash('a secret', spelled)).toBe(emailHash('a secret', ascii));
    const payer = { businessId: 'biz', addresses: [comparableAddress(spelled)], replacement: '', also: [] };
    expect([isPayerAddress(payer, ascii), isPayerAddress(payer, 'ada@munchen.de')]).toEqual([true, false]);
  });

  test('mean the same support address', () => {
    expect(parseSupport('hilfe@münchen.de')).toEqual({ kind: 'email', address: 'hilfe@xn--mnchen-3ya.de' });
    expect(parseSupport('+234 0803 123 4567')).toBeUndefined();
  });
});

describe('a phone number', () => {
  test.each(['+2348031234567', '+2347012345678', '+2341234567890', '+447911123456', '+15551234567', '+12345678'])(
    'may be %s',
    (text) => {
      expect(isPhoneNumber(text)).toBe(true);
    },
  );

  test.each([
    ...['+23408031234567', '+2340803123456', '+234803123456', '+23480312345678', '+234', '2348031234567'],
    ...['08031234567', '+1234567', '+1234567890123456', '+0234803123456', '+234 803 123 4567', '+2348031234567\n'],
    ...['++2348031234567', '+٢٣٤٨٠٣١٢٣٤٥٦٧', '', '+'],
  ])('may not be %j', (text) => {
    expect(isPhoneNumber(text)).toBe(false);
  });
});
