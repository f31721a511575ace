/* Whether payers recognise whose an account is by its name: providers and banks write names in capitals, cut them short, and put their own before them. */

/** Words that say what kind of business it is: banks leave them out, or shorten them. */
const KINDS = new Set(['co', 'company', 'inc', 'limited', 'llc', 'llp', 'ltd', 'nig', 'nigeria', 'plc', 'and', 'the']);
/** Characters in a row that are no accident. */
const TELLING = 6;

const splitWords = (name: string): readonly string[] => {
  const plain = name.normalize('NFKD').replaceAll(/[\p{M}'’]/gu, '');
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !KINDS.has(word));
  return telling.length === 0 ? words : telling;
};

/** Whether a name ends in the beginning of another: banks cut long names off. */
const endsInBeginning = (name: string, other: string): boolean => {
  for (let length = Math.min(name.length, other.length); length >= TELLING; length--) {
    if (name.endsWith(other.slice(0, length))) return true;
  }
  return false;
};

/** Whether an account's name says that it is a shop's: the shop's name is in it, whole or cut short, or it is a part of that. */
export const isNamedAfter = (accountName: string, shopName: string): boolean => {
  const [account, shop] = [splitWords(accountName), splitWords(shopName)];
  if (account.length === 0 || shop.length === 0) return false;
  const [joinedAccount, joinedShop] = [account.join(''), shop.join('')];
  return (
    shop.every((word) => account.includes(word)) ||
    account.every((word) => shop.includes(word)) ||
    (joinedShop.length >= TELLING && joinedAccount.includes(joinedShop)) ||
    endsInBeginning(joinedAccount, joinedShop)
  );
};
