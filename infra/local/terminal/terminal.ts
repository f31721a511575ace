import { bufferLines } from './line-buffer.ts';

const output = bufferLines((text) => process.stdout.write(text));

/** Writes the waiting lines at once, before the thread ends. */
export const flushTerminal = output.flush;

/** Prints a line a moment later, together with the next lines. */
export const sayLater = output.add;

/** Prints a line at once, after the waiting lines. */
export const say = (line: string): void => {
  output.add(line);
  output.flush();
};

/** Formats the time of day. */
export const clock = (): string => new Date().toTimeString().slice(0, 8);

/** An answered request, without its query, headers and body. */
export interface RequestReport {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Prints one line for a request. */
export const sayRequest = ({ method, path, status, milliseconds }: RequestReport): void =>
  sayLater(`${clock()}  ${method} ${path} → ${status} (${milliseconds} ms)`);
