import { createInterface } from 'node:readline';

/** Asks a person and waits for the answer: true only for a yes. */
export type Ask = (question: string) => Promise<boolean>;

/** Asks on a terminal. Closing it, or Ctrl-C, is a no. */
export const askOn =
  (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Ask =>
  (question) =>
    new Promise((resolve) => {
      const lines = createInterface({ input, output });
      lines.once('SIGINT', () => lines.close());
      lines.once('close', () => resolve(false));
      lines.question(`${question}\nType yes to go on: `, (answer) => {
        resolve(/^\s*y(es)?\s*$/i.test(answer));
        lines.close();
      });
    });
