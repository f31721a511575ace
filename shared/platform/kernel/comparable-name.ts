/** What a reader does not see or does not tell apart: marks such as accents, and characters without a width. */
const UNSEEN = /[\p{M}\p{Cf}]/gu;

/**
 * A name as searches compare it: whatever its case, its accents, the width of its letters and the kinds and numbers of its spaces. Empty when
 * nothing of it can be compared.
 */
export const comparableName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(UNSEEN, '')
    // Upper case last: it knows one sigma, and writes a sharp s as two letters.
    .toLowerCase()
    .toUpperCase()
    .replace(/\s+/g, ' ')
    .trim();
