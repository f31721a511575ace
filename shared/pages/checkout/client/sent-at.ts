/*
 * Keeps a time in the browser: the time at which the payer said that the money was sent. It is for a payer who opens the link again. Some browsers
 * block storage.
 */

/** Reads the stored time for a checkout, in milliseconds; undefined if there is none. */
export const readSentAt = (reference: string): number | undefined => {
  try {
    return Number(localStorage.getItem(reference)) || undefined;
  } catch {
    return undefined;
  }
};

/** Stores the time for a checkout, in milliseconds. `undefined` forgets it. */
export const storeSentAt = (reference: string, at: number | undefined): void => {
  try {
    localStorage.setItem(reference, String(at ?? ''));
  } catch {
    // The page's URL has the time too.
  }
};
