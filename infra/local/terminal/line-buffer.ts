/** Time for which lines wait: a delay that a person does not notice. */
const DELAY_MS = 40;

/** Buffers lines and writes them together, because a call of `write` for each line would take more time. */
export const bufferLines = (write: (text: string) => void) => {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') write(waiting);
    waiting = '';
  };
  return {
    add: (line: string): void => {
      waiting += `${line}\n`;
      timer ??= setTimeout(flush, DELAY_MS);
    },
    /** Writes the waiting lines at once. */
    flush,
  };
};
