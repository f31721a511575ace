/*
 * Tells whether payers recognise a business by the name of an account. Providers and banks write names in capitals, cut them short, and put
 * their own name first.
 */

/** Words that banks omit or shorten: the legal form of a business, and fillers. */
const INSIGNIFICANT_WORDS = new Set([
  'co',
  'company',
  'inc',
  'limited',
  'llc',
  'llp',
  'ltd',
  'nig',
  'nigeria',
  'plc',
  'and',
  'the',
]);
/** Minimum number of equal characters in a row. Fewer may be equal by chance. */
const MIN_OVERLAP = 6;

const splitWords = (name: string): readonly string[] => {
  const plain = name.normalize('NFKD').replaceAll(/[\p{M}'’]/gu, '');
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const significant = words.filter((word) => !INSIGNIFICANT_WORDS.has(word));
  return significant.length === 0 ? words : significant;
};

/** Whether `name` ends with the first characters of `other`: banks cut long names off. */
const endsWithStart = (name: string, other: string): boolean => {
  for (let length = Math.min(name.length, other.length); length >= MIN_OVERLAP; length--) {
    if (name.endsWith(other.slice(0, length))) return true;
  }
  return false;
};

/**
 * Whether an account's name matches a shop's name. The account's name may contain the shop's name, be a part of it, or end with the first
 * characters of the shop's name.
 */
export const isNamedAfter = (accountName: string, shopName: string): boolean => {
  const [account, shop] = [splitWords(accountName), splitWords(shopName)];
  if (account.length === 0 || shop.length === 0) return false;
  const [joinedAccount, joinedShop] = [account.join(''), shop.join('')];
  return (
    shop.every((word) => account.includes(word)) ||
    account.every((word) => shop.includes(word)) ||
    (joinedShop.length >= MIN_OVERLAP && joinedAccount.includes(joinedShop)) ||
    endsWithStart(joinedAccount, joinedShop)
  );
};
