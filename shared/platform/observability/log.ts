/** Every log event with its level and message. Fields never hold secrets, keys, identity numbers or bodies. */
const CATALOGUE = {
  request_answered: { level: 'info', message: 'A request was answered.' },
  secret_key_refused: {
    level: 'warn',
    message: 'A valid secret key was refused: its address is not whitelisted, or it is over its rate limit.',
  },
  request_failed: { level: 'error', message: 'A request failed on our side.' },
  answer_off_contract: { level: 'error', message: 'An answer did not match its contract and was withheld.' },
  key_use_not_noted: {
    level: 'warn',
    message: 'The use of a key could not be noted. It is noted again in the next hour.',
  },
  deliveries_not_queued: { level: 'warn', message: 'The queue did not accept deliveries. The sweeper will send them.' },
  delivery_attempted: { level: 'info', message: 'A webhook was posted.' },
  delivery_given_up: {
    level: 'info',
    message: 'A parked delivery was given up, because its endpoint has been disabled for 30 days.',
  },
  delivery_job_void: { level: 'info', message: 'An outdated delivery message was dropped.' },
  attempt_not_started: {
    level: 'warn',
    message: 'A consumer had too little of its lease left, so it posted nothing. The delivery is attempted again.',
  },
  delivery_result_void: {
    level: 'warn',
    message: 'A lease ended before the result of its attempt was written. Another attempt follows.',
  },
  endpoint_disabled: { level: 'warn', message: 'An endpoint was disabled because it does not accept its webhooks.' },
  delivery_cancelled: { level: 'info', message: 'A delivery was cancelled: its endpoint or event is gone.' },
  message_failed: { level: 'error', message: 'A queue message could not be handled and will be received again.' },
  mail_refused: {
    level: 'warn',
    message: 'A mail was refused for some readers, whose addresses cannot be mailed. The others got it.',
  },
  work_not_queued: { level: 'warn', message: 'A queue did not accept due work. The sweeper will send it.' },
  work_failed: { level: 'error', message: 'Due work failed. It stays due.' },
  payment_unmatched: { level: 'warn', message: 'Money arrived that matches no account and no checkout.' },
  payment_reinstated: {
    level: 'warn',
    message:
      'A provider keeps money that it had returned. The provider is asked again. Operators are called unless its report was stale.',
  },
  look_up_failed: { level: 'warn', message: 'A look-up of a payment failed. It is retried.' },
  review_failed: {
    level: 'warn',
    message: 'A payment that counted could not be looked up again. It is retried unless it was given up.',
  },
  review_given_up: {
    level: 'error',
    message: 'A payment could not be looked up again in time. Compare it with the provider’s dashboard.',
  },
  notification_stuck: {
    level: 'warn',
    message: 'A notification is not settled. Operators see it until it is settled, or until they dismiss it.',
  },
  listed_payment_unreadable: {
    level: 'error',
    message: 'A provider lists money under a reference that cannot be read. Compare its dashboard with the books.',
  },
  closing_given_up: {
    level: 'error',
    message: 'A provider has refused for 72 hours to close a deactivated account. Close it at the provider by hand.',
  },
  checkout_routed: {
    level: 'info',
    message:
      'A provider was chosen for a checkout that names none. The fields have its candidates in order, and the reasons against others.',
  },
  provider_disabled: {
    level: 'error',
    message: 'An enabled provider is off, because its credentials cannot be used.',
  },
  stage_keys_not_read: {
    level: 'warn',
    message: 'Keys of the stage could not be read again. The last ones stay in use, and are read again in a minute.',
  },
  provider_down: {
    level: 'warn',
    message: 'The breaker of a provider is open after repeated failures. One call every 30 s probes the provider.',
  },
  provider_limited: {
    level: 'warn',
    message: 'A provider answered 429. Calls of this kind wait until it accepts requests again.',
  },
  provider_quota_used_up: {
    level: 'warn',
    message:
      'The servers of a business, or the browsers with its public key, used up their share of its quota at a provider.',
  },
  checkout_removed: {
    level: 'warn',
    message:
      'A checkout was removed, because its provider returns no account for it. Money that was paid under its references is unmatched.',
  },
  provider_health: {
    level: 'warn',
    message: 'The health of a provider has changed, as measured by the payments and openings there.',
  },
  opening_not_counted: { level: 'warn', message: 'A failure of a provider to open an account could not be counted.' },
  provider_up: { level: 'info', message: 'A provider is up again.' },
  provider_breaker_not_saved: { level: 'warn', message: 'The breaker state of a provider could not be saved.' },
  item_unreadable: {
    level: 'error',
    message: 'This release cannot read some items. Lists leave them out, and work that needs them stays due.',
  },
  swept: { level: 'info', message: 'The sweeper has done due work.' },
} as const;

export type LogEvent = keyof typeof CATALOGUE;
export type LogFields = Record<string, string | number | boolean | null | undefined>;
/** Writes a complete line, such as a metric. */
export const writeLine = (line: string): void => write(line);

/** Writes one event. It logs only the name and the place of an error, because the message may quote data. */
export type Log = (event: LogEvent, fields?: LogFields, error?: unknown) => void;

let write: (line: string) => void = (line) => {
  // Lambda makes one log record of each line.
  process.stdout.write(`${line}\n`);
};

/** Redirects log lines, as the local stack does. */
export const logTo = (sink: (line: string) => void): void => {
  write = sink;
};

/** Returns the name that the SDK gave an error's cause, or the system's code of a failed connection. */
const findCauseName = ({ cause }: Error): string | undefined => {
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
    error_cause: findCauseName(error),
    error_place: place?.map((line) => line.trim()).join(' < '),
  };
};

/** Writes one JSON line: the event, its level and message, and the fields. */
export const log: Log = (event, fields = {}, error) => {
  write(
    JSON.stringify({ time: new Date().toISOString(), ...CATALOGUE[event], event, ...fields, ...errorFields(error) }),
  );
};
