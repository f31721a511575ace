import { createInterface } from 'node:readline';

/** Asks a person and waits for the answer. True only for a yes. */
export type Ask = (question: string) => Promise<boolean>;

/** Asks on a terminal. Ctrl-C or a closed terminal counts as no. */
export const askOn =
  (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Ask =>
  (question) =>
    new Promise((resolve) => {
      const lines = createInterface({ input, output });
      lines.once('SIGINT', () => lines.close());
      lines.once('close', () => resolve(false));
      lines.question(`${question}\nType yes to continue: `, (answer) => {
        resolve(/^\s*y(es)?\s*$/i.test(answer));
        lines.close();
      });
    });
