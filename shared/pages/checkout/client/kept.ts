/* When the payer said that the money was sent, kept by the browser for whoever opens the link again; some browsers keep nothing. */

/** The time that is kept for a checkout, in milliseconds; undefined where there is none. */
export const readSentAt = (reference: string): number | undefined => {
  try {
    return Number(localStorage.getItem(reference)) || undefined;
  } catch {
    return undefined;
  }
};

/** Keeps the time for a checkout, in milliseconds; forgets it where there is none. */
export const keepSentAt = (reference: string, at: number | undefined): void => {
  try {
    localStorage.setItem(reference, String(at ?? ''));
  } catch {
    // The page's own address has it too.
  }
};
