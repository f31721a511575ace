import * as z from 'zod/mini';
import { clock, say, sayLater } from './terminal.ts';

/** The same warning is not shown more often than this. */
const QUIET_MS = 10_000;

const logLine = z.object({
  event: z.string(),
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
  event_type: z.optional(z.string()),
  attempt: z.optional(z.number()),
  status_code: z.nullish(z.number()),
  milliseconds: z.optional(z.number()),
  error: z.nullish(z.string()),
});
type LogLine = z.infer<typeof logLine>;

const sayDelivery = ({ event_type: type, attempt, status_code: status, milliseconds, error }: LogLine): void =>
  sayLater(`${clock()}  webhook ${type}, attempt ${attempt} → ${status ?? `failed: ${error}`} (${milliseconds} ms)`);

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
