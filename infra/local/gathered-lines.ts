/** Long enough to gather what a busy moment says, too short for a person to notice. */
const GATHER_MS = 40;

/** Writes lines that come close together in one go: the kernel's part of a line costs more than the line. */
export const gatherLines = (write: (text: string) => void) => {
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
      timer ??= setTimeout(flush, GATHER_MS);
    },
    /** Writes at once whatever still waits. */
    flush,
  };
};
