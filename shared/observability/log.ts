/** Every event that is ever logged, with the sentence that a person reads. Fields never hold secrets, keys, identity numbers or bodies. */
const CATALOGUE = {
  request_answered: { level: 'info', message: 'A request was answered.' },
  request_failed: { level: 'error', message: 'A request failed on our side.' },
  answer_off_contract: { level: 'error', message: 'An answer did not match its contract and was withheld.' },
  deliveries_not_queued: { level: 'warn', message: 'The queue took no deliveries; the sweeper will send them.' },
  delivery_attempted: { level: 'info', message: 'A webhook was posted.' },
  delivery_given_up: {
    level: 'info',
    message: 'A delivery that waited was given up: its endpoint has been switched off for 30 days.',
  },
  delivery_job_void: { level: 'info', message: 'A delivery message was out of date and was dropped.' },
  delivery_result_void: {
    level: 'warn',
    message: 'A lease ran out before its result was written; another attempt follows.',
  },
  endpoint_disabled: { level: 'warn', message: 'An endpoint that does not take its webhooks was switched off.' },
  delivery_cancelled: { level: 'info', message: 'A delivery was cancelled: its endpoint or event is gone.' },
  message_failed: { level: 'error', message: 'A queue message could not be handled and will be received again.' },
  work_failed: { level: 'error', message: 'A piece of due work failed; it stays due.' },
  payment_unmatched: { level: 'warn', message: 'Money arrived that matches no account and no checkout.' },
  payment_reinstated: {
    level: 'warn',
    message:
      'A provider keeps money that it had returned. It is asked again; unless its report was outdated, people are called.',
  },
  look_up_failed: { level: 'warn', message: 'A provider could not be asked about a payment; it is asked again.' },
  notification_given_up: {
    level: 'error',
    message: 'A notification could not be looked up for 72 hours. Reconciliation goes on; look at its provider.',
  },
  closing_given_up: {
    level: 'error',
    message: 'A provider has refused for 72 hours to close a deactivated account. Close it there by hand.',
  },
  provider_disabled: {
    level: 'error',
    message: 'An enabled provider is off for want of credentials.',
  },
  provider_down: { level: 'warn', message: 'A provider keeps failing; one call in 30 s tries it.' },
  provider_up: { level: 'info', message: 'A provider answers again.' },
  provider_breaker_not_saved: { level: 'warn', message: 'Could not save the provider’s breaker state.' },
  swept: { level: 'info', message: 'The sweeper took up due work.' },
} as const;

export type LogEvent = keyof typeof CATALOGUE;
export type LogFields = Record<string, string | number | boolean | null | undefined>;
/** Writes one line that is complete already, such as a metric. */
export const writeLine = (line: string): void => write(line);

/** Writes one event. An unexpected error is told by name and place only: its message may quote data. */
export type Log = (event: LogEvent, fields?: LogFields, error?: unknown) => void;

let write: (line: string) => void = (line) => {
  // Lambda takes every line of standard output as one log record.
  process.stdout.write(`${line}\n`);
};

/** Sends log lines elsewhere: the local stack keeps its terminal for people. */
export const logTo = (sink: (line: string) => void): void => {
  write = sink;
};

const errorFields = (error: unknown): LogFields => {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { error_name: typeof error };
  const place = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 6);
  return { error_name: error.name, error_place: place?.map((line) => line.trim()).join(' < ') };
};

/** Writes one JSON line: the event's code, level and sentence, and the fields. */
export const log: Log = (event, fields = {}, error) => {
  write(
    JSON.stringify({ time: new Date().toISOString(), ...CATALOGUE[event], event, ...fields, ...errorFields(error) }),
  );
};
