/** Every log event with its level and message. Fields never hold secrets, keys, identity numbers or bodies. */
const CATALOGUE = {
  request_answered: { level: 'info', message: 'A request was answered.' },
  secret_key_refused: {
    level: 'warn',
    message: 'A valid secret key was refused: its address is not whitelisted, or it is over its rate limit.',
  },
  request_failed: { level: 'error', message: 'A request failed on our side.' },
  answer_off_contract: { level: 'error', message: 'An answer did not match its contract and was withheld.' },
  key_use_not_noted: { level: 'warn', message: 'That a key was used could not be noted; it is in the next hour.' },
  deliveries_not_queued: { level: 'warn', message: 'The queue did not accept deliveries; the sweeper will send them.' },
  delivery_attempted: { level: 'info', message: 'A webhook was posted.' },
  delivery_given_up: {
    level: 'info',
    message: 'A parked delivery was given up: its endpoint has been disabled for 30 days.',
  },
  delivery_job_void: { level: 'info', message: 'An outdated delivery message was dropped.' },
  attempt_not_started: {
    level: 'warn',
    message: 'A consumer had too little of its lease left, so it posted nothing; the delivery is attempted again.',
  },
  delivery_result_void: {
    level: 'warn',
    message: 'A lease ran out before its result was written; another attempt follows.',
  },
  endpoint_disabled: { level: 'warn', message: 'An endpoint was disabled because it does not accept its webhooks.' },
  delivery_cancelled: { level: 'info', message: 'A delivery was cancelled: its endpoint or event is gone.' },
  message_failed: { level: 'error', message: 'A queue message could not be handled and will be received again.' },
  mail_refused: {
    level: 'warn',
    message: 'A mail was refused for readers whose address cannot be written to; the others got it.',
  },
  work_not_queued: { level: 'warn', message: 'A queue did not accept due work; the sweeper will send it.' },
  work_failed: { level: 'error', message: 'Due work failed; it stays due.' },
  payment_unmatched: { level: 'warn', message: 'Money arrived that matches no account and no checkout.' },
  payment_reinstated: {
    level: 'warn',
    message:
      'A provider keeps money that it had returned. It is asked again; unless its report was stale, operators are called.',
  },
  look_up_failed: { level: 'warn', message: 'A look-up of a payment failed; it is retried.' },
  review_failed: {
    level: 'warn',
    message: 'A payment that counted could not be looked up again; it is retried unless it was given up.',
  },
  review_given_up: {
    level: 'error',
    message: 'A payment could not be looked up again in time. Compare it with the provider’s dashboard.',
  },
  notification_stuck: {
    level: 'warn',
    message: 'A notification is not settled. Operators see it until it is, or until they dismiss it.',
  },
  listed_payment_unreadable: {
    level: 'error',
    message: 'A provider lists money under no reference that can be read. Compare its dashboard with the books.',
  },
  closing_given_up: {
    level: 'error',
    message: 'A provider has refused for 72 hours to close a deactivated account. Close it there by hand.',
  },
  checkout_routed: {
    level: 'info',
    message: 'A checkout that names no provider goes to one: its candidates in order, and why others were passed over.',
  },
  provider_disabled: {
    level: 'error',
    message: 'An enabled provider is off because its credentials cannot be used.',
  },
  stage_keys_not_read: {
    level: 'warn',
    message: 'Keys of the stage could not be read again; the last ones go on working, and are read again in a minute.',
  },
  provider_down: {
    level: 'warn',
    message: 'A provider is suspended after repeated failures; one call every 30 s probes it.',
  },
  provider_limited: {
    level: 'warn',
    message: 'A provider answered 429: calls of this kind wait until it takes requests again.',
  },
  provider_quota_used_up: {
    level: 'warn',
    message:
      'A business’s servers, or the browsers with its public key, used up their share of its limit at a provider.',
  },
  checkout_removed: {
    level: 'warn',
    message:
      'A checkout was removed, because its provider returns no account for it. Money that was paid into an account of its references is unmatched.',
  },
  provider_health: {
    level: 'warn',
    message: 'A provider is judged otherwise than before, by what lands there and what it opens.',
  },
  opening_not_counted: { level: 'warn', message: 'An account that a provider failed to open could not be counted.' },
  provider_up: { level: 'info', message: 'A provider is up again.' },
  provider_breaker_not_saved: { level: 'warn', message: 'Could not save the provider’s breaker state.' },
  item_unreadable: {
    level: 'error',
    message: 'Items cannot be read by this release. Lists leave them out; work that needs them stays due.',
  },
  swept: { level: 'info', message: 'The sweeper has done due work.' },
} as const;

export type LogEvent = keyof typeof CATALOGUE;
export type LogFields = Record<string, string | number | boolean | null | undefined>;
/** Writes a complete line, such as a metric. */
export const writeLine = (line: string): void => write(line);

/** Writes one event. Of an error only name and place are logged, because its message may quote data. */
export type Log = (event: LogEvent, fields?: LogFields, error?: unknown) => void;

let write: (line: string) => void = (line) => {
  // Lambda makes one log record of every line.
  process.stdout.write(`${line}\n`);
};

/** Redirects log lines, as the local stack does. */
export const logTo = (sink: (line: string) => void): void => {
  write = sink;
};

/** What the SDK called it, or the system: the code of a connection that failed. */
const nameOfCause = ({ cause }: Error): string | undefined => {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
};

const errorFields = (error: unknown): LogFields => {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { error_name: typeof error };
  const place = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 6);
  return {
    error_name: error.name,
    error_cause: nameOfCause(error),
    error_place: place?.map((line) => line.trim()).join(' < '),
  };
};

/** Writes one JSON line: the event, its level and message, and the fields. */
export const log: Log = (event, fields = {}, error) => {
  write(
    JSON.stringify({ time: new Date().toISOString(), ...CATALOGUE[event], event, ...fields, ...errorFields(error) }),
  );
};
