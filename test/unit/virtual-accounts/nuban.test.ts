import fc from 'fast-check';
import { buildNuban, computeCheckDigit, SANDBOX_BANK_CODE } from '#shared/providers/sandbox/nuban.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const WEIGHTS = '373373373373';

/** Whether an account number has the right check digit for a bank. */
const isNuban = (bankCode: string, accountNumber: string): boolean =>
  /^\d{10}$/.test(accountNumber) && buildNuban(bankCode, accountNumber.slice(0, 9)) === accountNumber;

describe('a NUBAN', () => {
  test.each([
    // CBN, "Proposals on the Implementation of NUBAN Scheme" v0.4, example 1: 7+3 + 3+12+35+21 = 81, 10-1.
    ['011', '000001457', '0000014579'],
    // CBN, the same document, example 2: 7+3 + 14+6 = 30, and 10 counts as 0.
    ['011', '000000022', '0000000220'],
    // By hand: 27+63+27 + 3+14+9+12+35+18+21+56+27 = 312, 10-2.
    ['999', '123456789', '1234567898'],
    // By hand, Access Bank: 28+12 + 0 = 40.
    ['044', '000000000', '0000000000'],
    // By hand, Zenith Bank: 35+21 + 9*(3+7+3+3+7+3+3+7+3) = 56+351 = 407, 10-7.
    ['057', '999999999', '9999999993'],
  ])('follows from bank %s and serial %s: %s', (bankCode, serial, accountNumber) => {
    expect(buildNuban(bankCode, serial)).toBe(accountNumber);
    expect(isNuban(bankCode, accountNumber)).toBe(true);
  });

  test('has exactly one right check digit', () => {
    fc.assert(
      fc.property(digits(3), digits(9), (bankCode, serial) => {
        const right = [...'0123456789'].filter((digit) => isNuban(bankCode, serial + digit));
        expect(right).toEqual([computeCheckDigit(bankCode, serial)]);
      }),
    );
  });

  test('makes the weighted sum of all its digits, check digit included, a multiple of ten', () => {
    fc.assert(
      fc.property(digits(3), digits(9), (bankCode, serial) => {
        const weighted = [...bankCode, ...serial].reduce(
          (sum, digit, i) => sum + Number(digit) * Number(WEIGHTS[i]),
          0,
        );
        expect((weighted + Number(computeCheckDigit(bankCode, serial))) % 10).toBe(0);
      }),
    );
  });

  test('becomes invalid by one mistyped digit', () => {
    fc.assert(
      fc.property(digits(9), fc.nat(9), fc.integer({ min: 1, max: 9 }), (serial, at, shift) => {
        const number = buildNuban(SANDBOX_BANK_CODE, serial);
        const wrong = (Number(number[at]) + shift) % 10;
        expect(isNuban(SANDBOX_BANK_CODE, number.slice(0, at) + wrong + number.slice(at + 1))).toBe(false);
      }),
    );
  });

  test('becomes invalid if two neighbouring digits of its serial are swapped, unless they have the same weight or differ by 0 or 5', () => {
    fc.assert(
      fc.property(digits(9), fc.nat(7), (serial, at) => {
        const number = buildNuban(SANDBOX_BANK_CODE, serial);
        const [a = '', b = ''] = serial.slice(at, at + 2);
        const swapped = number.slice(0, at) + b + a + number.slice(at + 2);
        const isDetected = WEIGHTS[at + 3] !== WEIGHTS[at + 4] && (Number(a) - Number(b)) % 5 !== 0;
        expect(isNuban(SANDBOX_BANK_CODE, swapped)).toBe(!isDetected);
      }),
    );
  });

  test.each(['', '123456789', '12345678980', '123456789X', ' 1234567898', '١٢٣٤٥٦٧٨٩٨'])(
    'has ten digits, unlike %p',
    (text) => {
      expect(isNuban(SANDBOX_BANK_CODE, text)).toBe(false);
    },
  );

  test.each([
    ['99', '123456789'],
    ['999', '12345678'],
    ['999', '12345678X'],
    ['', ''],
  ])('cannot follow from bank code %p and serial %p', (bankCode, serial) => {
    expect(() => computeCheckDigit(bankCode, serial)).toThrow(RangeError);
  });

  test.each([
    ['9991', '23456789'],
    ['99', '9123456789'],
  ])('cannot follow from bank code %p and serial %p, though both together have 12 digits', (bankCode, serial) => {
    expect(() => computeCheckDigit(bankCode, serial)).toThrow(RangeError);
  });
});
