/** Characters that a reader does not see or distinguish: marks such as accents, and characters without a width. */
const UNSEEN = /[\p{M}\p{Cf}]/gu;

/**
 * Normalises a name for searches. Case, accents, the width of letters, and the kind and number of spaces do not matter. Empty if nothing of
 * the name can be compared.
 */
export const comparableName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(UNSEEN, '')
    // Upper case comes last: it has one sigma, and writes a sharp s as two letters.
    .toLowerCase()
    .toUpperCase()
    .replace(/\s+/g, ' ')
    .trim();
