import { isNamedAfter } from '#shared/checkouts/domain/account-name.ts';

test.each([
  ['Ada Stores', 'Ada Stores'],
  ['ADA STORES', 'Ada Stores'],
  ['ADA STORES LTD', 'Ada Stores Limited'],
  ['PAYSTACK CHECKOUT / ADA STORES', 'Ada Stores'],
  ['Paybridge-Ada Stores', 'Ada Stores'],
  ['KORA(ADASTORES)', 'Ada Stores'],
  ['ADA STORES', 'Ada Stores, Lekki'],
  ['STORES ADA', 'Ada Stores'],
  ['ÀDÁ’S STORES', 'Adas Stores'],
  ['PAYBRIDGE-BUKOLA AND DAUGHTERS FABR', 'Bukola & Daughters Fabrics'],
  ['THE COMPANY', 'The Company'],
])('the account name “%s” matches the shop %s', (account, shop) => expect(isNamedAfter(account, shop)).toBe(true));

test.each([
  ['PAYSTACK CHECKOUT', 'Ada Stores'],
  ['SIMSHOP COLLECTIONS', 'Ada Stores'],
  ['CANADA TRADING', 'Ada'],
  ['BOLA STORES LAGOS', 'Ada Stores'],
  ['PAYBRIDGE LIMITED', 'Ada Stores Limited'],
  ['', 'Ada Stores'],
  ['PAYSTACK CHECKOUT', '💐'],
])('the account name “%s” does not match the shop %s', (account, shop) =>
  expect(isNamedAfter(account, shop)).toBe(false),
);
