const WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

/** The fictitious bank code of test mode. */
export const SANDBOX_BANK_CODE = '999';

/**
 * Computes the check digit of a Nigerian bank account number: 10 minus the weighted sum of the digits of bank code and serial, modulo 10.
 * Source: CBN, "Revised Standards on Nigeria Uniform Bank Account Number (NUBAN)".
 */
export const computeCheckDigit = (bankCode: string, serial: string): string => {
  if (!/^\d{3}$/.test(bankCode) || !/^\d{9}$/.test(serial)) {
    throw new RangeError('A NUBAN has a 3-digit bank code and a 9-digit serial.');
  }
  const digits = `${bankCode}${serial}`;
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(digits[i]), 0);
  return String((10 - (sum % 10)) % 10);
};

/** Builds the ten-digit account number of a nine-digit serial at a bank. */
export const buildNuban = (bankCode: string, serial: string): string => serial + computeCheckDigit(bankCode, serial);
