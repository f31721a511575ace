import * as z from 'zod';
import { bufferLines } from './line-buffer.ts';

/** The same warning is not shown more often than this. */
const QUIET_MS = 10_000;

const logLine = z.object({
  event: z.string(),
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
  event_type: z.string().optional(),
  attempt: z.number().optional(),
  status_code: z.number().nullish(),
  milliseconds: z.number().optional(),
  error: z.string().nullish(),
});
type LogLine = z.infer<typeof logLine>;

const output = bufferLines((text) => process.stdout.write(text));

/** Writes the waiting lines at once, before the thread ends. */
export const flushTerminal = output.flush;

/** Prints a line at once, after those that wait. */
export const say = (line: string): void => {
  output.add(line);
  output.flush();
};

const clock = (): string => new Date().toTimeString().slice(0, 8);

/** One answered request: nothing of its query, headers or body. */
export interface RequestReport {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Prints one line for a request. */
export const sayRequest = ({ method, path, status, milliseconds }: RequestReport): void =>
  output.add(`${clock()}  ${method} ${path} → ${status} (${milliseconds} ms)`);

const sayDelivery = ({ event_type: type, attempt, status_code: status, milliseconds, error }: LogLine): void =>
  output.add(`${clock()}  webhook ${type}, attempt ${attempt} → ${status ?? `failed: ${error}`} (${milliseconds} ms)`);

/** Whether a line may be shown, seen without parsing it: most are not. Metrics have no level. */
const mayBeShown = (line: string): boolean =>
  line.includes('"event":"delivery_attempted"') || (line.includes('"level":"') && !line.includes('"level":"info"'));

/** Picks out of the functions' log what a person at the terminal wants to know: deliveries and whatever went wrong. */
export const newLogReader = (logPath: string): ((line: string) => void) => {
  const saidAt = new Map<string, number>();
  return (line) => {
    if (!mayBeShown(line)) return;
    const { success, data: entry } = logLine.safeParse(JSON.parse(line));
    if (!success) return;
    if (entry.event === 'delivery_attempted') return sayDelivery(entry);
    if (entry.level === 'info' || Date.now() - (saidAt.get(entry.event) ?? 0) < QUIET_MS) return;
    saidAt.set(entry.event, Date.now());
    say(`${clock()}  ${entry.message} Details are in ${logPath}`);
  };
};
