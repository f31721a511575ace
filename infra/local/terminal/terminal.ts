import { bufferLines } from './line-buffer.ts';

const output = bufferLines((text) => process.stdout.write(text));

/** Writes the waiting lines at once, before the thread ends. */
export const flushTerminal = output.flush;

/** Prints a line with the next ones. */
export const sayLater = output.add;

/** Prints a line at once, after those that wait. */
export const say = (line: string): void => {
  output.add(line);
  output.flush();
};

/** The time of day. */
export const clock = (): string => new Date().toTimeString().slice(0, 8);

/** One answered request: nothing of its query, headers or body. */
export interface RequestReport {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Prints one line for a request. */
export const sayRequest = ({ method, path, status, milliseconds }: RequestReport): void =>
  sayLater(`${clock()}  ${method} ${path} → ${status} (${milliseconds} ms)`);
