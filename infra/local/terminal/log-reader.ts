import * as z from 'zod/mini';
import { clock, say, sayLater } from './terminal.ts';

/** The shortest time between two warnings of the same kind. */
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

/** Whether a line may have to be shown. This does not parse the line, because most lines are not shown. A line with metrics has no level. */
const mayBeShown = (line: string): boolean =>
  line.includes('"event":"delivery_attempted"') || (line.includes('"level":"') && !line.includes('"level":"info"'));

/** Makes a reader that prints deliveries and errors from the functions' log. */
export const newLogReader = (logPath: string): ((line: string) => void) => {
  const shownAt = new Map<string, number>();
  return (line) => {
    if (!mayBeShown(line)) return;
    const { success, data: entry } = logLine.safeParse(JSON.parse(line));
    if (!success) return;
    if (entry.event === 'delivery_attempted') return sayDelivery(entry);
    if (entry.level === 'info' || Date.now() - (shownAt.get(entry.event) ?? 0) < QUIET_MS) return;
    shownAt.set(entry.event, Date.now());
    say(`${clock()}  ${entry.message} Details are in ${logPath}`);
  };
};
