import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_RATE_LIMITS } from '#infra/default-limits.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import type { Contact } from '#shared/platform/kernel/contact.ts';
import { type RateLimits, rateLimits } from '#shared/platform/requests/rate-limit.ts';
import { credentialsVariable, requiredFields } from '#shared/providers/credentials.ts';
import { byProvider, type RegisteredProvider } from '#shared/providers/registry.ts';
import { CannotStart } from './errors.ts';

/** What the stack is to do. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** The address at which providers reach the stack; undefined for its own. */
  readonly stageUrl: string | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  /** Emulators that somebody else runs; undefined for the embedded ones. */
  readonly dynamodbEndpoint: string | undefined;
  readonly sqsEndpoint: string | undefined;
  readonly sweepSeconds: number;
  /** Requests that each function works on at once. */
  readonly concurrency: number;
  /** Requests a second (api-decisions.md section 1); 0 for no limit. */
  readonly rateLimits: RateLimits;
  /** Whom the documents name as the contact; null for nobody. */
  readonly contact: Contact | null;
  readonly reset: boolean;
  /** Live mode with the provider simulator in place of the providers. */
  readonly liveSimulator: boolean;
  /** One line in place of the welcome, for a stack that is restarted often. */
  readonly brief: boolean;
  /** The port of 127.0.0.1 on which a debugger may attach; undefined for none. */
  readonly inspectPort: number | undefined;
  readonly help: boolean;
}

/** A PROVIDERS variable: a provider and one of its settings. */
export const PROVIDERS_EXAMPLE = '{"korapay": {"bank": "000"}}';

/** A CONTACT variable. Either part may be left out. */
const CONTACT_EXAMPLE = '{"email": "integrations@example.com", "url": "https://example.com/support"}';

const formatCredentials = (schema: RegisteredProvider['credentials']): string =>
  `{${requiredFields(schema)
    .map((field) => `"${field}": "…"`)
    .join(', ')}}`;

const credentialVariables = Object.values(
  byProvider((name, { credentials }) => `  ${credentialsVariable(name).padEnd(22)}${formatCredentials(credentials)}`),
).join('\n');

/** What keeps two processors busy. */
const DEFAULT_CONCURRENCY = 32;
const MAX_CONCURRENCY = 10_000;

/** What `--help` prints. */
export const HELP = `Runs the whole service on this machine, with a database and a queue of its own.

  npm start                 start, with the data of the last run
  npm run dev               the same, and restart whenever a file of the code changes
  npm start -- --reset      delete the data in DATA_DIR and begin again
  npm start -- --live-simulator  live mode too, with a simulator in place of the providers; no money moves
  npm start -- --inspect    let a debugger attach, and stop at breakpoints for as long as you like
  npm start -- --brief      print one line when the stack is ready, not the whole welcome
  npm start -- --help       show this

Settings come from the environment:

  PORT               where the API listens; 0 takes any free port   (3000)
  HOST               the address it listens on; 127.0.0.1 is reached from this machine alone  (127.0.0.1)
  PUBLIC_URL         the address at which live providers reach the stack, such as a tunnel's  (its own)
  DATA_DIR           where data, keys and the log are kept          (.local)
  DYNAMODB_ENDPOINT  a DynamoDB to use instead of the embedded one, e.g. http://127.0.0.1:8000
  SQS_ENDPOINT       an SQS to use instead of the embedded one, e.g. http://127.0.0.1:9324
  SWEEP_SECONDS      the time between two sweeps of due work        (1)
  CONCURRENCY        requests that each function works on at once; others wait half a second  (${DEFAULT_CONCURRENCY})
  RATE_LIMITS        requests a second, as JSON; 0 for no limit     (${JSON.stringify(DEFAULT_RATE_LIMITS)})
  CONTACT            whom /docs tells integrators to ask, as JSON   (nobody), e.g. ${CONTACT_EXAMPLE}
  INSPECT_PORT       where a debugger attaches with --inspect       (9229)
  PROVIDERS          the live providers and their settings, as JSON (none), e.g. ${PROVIDERS_EXAMPLE}
  ROUTING_ORDER      the order of providers for checkouts that name none, as JSON (none), e.g. ["paystack","monnify"]
  SANDBOX            providers of test mode that fail: slow, refusing or silent (none), e.g. {"paystack":"silent"}
${credentialVariables}
`;

const MAX_PORT = 65_535;
const MAX_SWEEP_SECONDS = 3_600;

type Env = Record<string, string | undefined>;

/** A variable that is set to nothing counts as not set. */
const value = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

const readPort = (env: Env, name: 'PORT' | 'INSPECT_PORT', byDefault: number): number => {
  const text = value(env, name) ?? String(byDefault);
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new CannotStart(`${name} must be a whole number from 0 to ${MAX_PORT}, e.g. ${name}=${byDefault}.`);
};

const readSweepSeconds = (env: Env): number => {
  const text = value(env, 'SWEEP_SECONDS') ?? '1';
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= MAX_SWEEP_SECONDS) return seconds;
  throw new CannotStart(
    `SWEEP_SECONDS must be a number of seconds above 0 and at most ${MAX_SWEEP_SECONDS}, e.g. SWEEP_SECONDS=1.`,
  );
};

const readConcurrency = (env: Env): number => {
  const text = value(env, 'CONCURRENCY') ?? String(DEFAULT_CONCURRENCY);
  if (/^[1-9]\d*$/.test(text) && Number(text) <= MAX_CONCURRENCY) return Number(text);
  throw new CannotStart(
    `CONCURRENCY must be a whole number from 1 to ${MAX_CONCURRENCY}, e.g. CONCURRENCY=${DEFAULT_CONCURRENCY}.`,
  );
};

const readRateLimits = (env: Env): RateLimits => {
  const text = value(env, 'RATE_LIMITS');
  if (text === undefined) return DEFAULT_RATE_LIMITS;
  try {
    return rateLimits.parse(JSON.parse(text));
  } catch {
    throw new CannotStart(
      `RATE_LIMITS must be JSON with whole numbers of requests a second, e.g. RATE_LIMITS='${JSON.stringify(DEFAULT_RATE_LIMITS)}'.`,
    );
  }
};

const readContact = (env: Env): Contact | null => {
  const parsed = publishedEnv.shape.CONTACT.safeParse(value(env, 'CONTACT') ?? 'null');
  if (parsed.success) return parsed.data;
  throw new CannotStart(
    `CONTACT must be JSON with an e-mail address, an https address, or both, e.g. CONTACT='${CONTACT_EXAMPLE}'.`,
  );
};

const readUrl = (env: Env, name: 'DYNAMODB_ENDPOINT' | 'SQS_ENDPOINT' | 'PUBLIC_URL'): string | undefined => {
  const text = value(env, name);
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new CannotStart(`${name} must be a URL, e.g. ${name}=http://127.0.0.1:8000.`);
};

const OPTIONS = {
  reset: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  'live-simulator': { type: 'boolean', default: false },
  // The former name of --live-simulator, for scripts that still use it.
  'live-twin': { type: 'boolean', default: false },
  brief: { type: 'boolean', default: false },
  inspect: { type: 'boolean', default: false },
} as const;

const readArguments = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch {
    throw new CannotStart(`npm start does not know ${args.join(' ')}. See: npm start -- --help`);
  }
};

/**
 * What the stack is to do, from its arguments and its environment.
 * @throws CannotStart for an unknown argument or a setting that makes no sense.
 */
export const readSettings = (args: readonly string[], env: Env): Settings => {
  const { inspect, 'live-simulator': liveSimulator, 'live-twin': formerName, ...flags } = readArguments(args);
  return {
    ...flags,
    liveSimulator: liveSimulator || formerName,
    inspectPort: inspect ? readPort(env, 'INSPECT_PORT', 9229) : undefined,
    port: readPort(env, 'PORT', 3000),
    host: value(env, 'HOST') ?? '127.0.0.1',
    stageUrl: readUrl(env, 'PUBLIC_URL'),
    dataDir: resolve(value(env, 'DATA_DIR') ?? '.local'),
    dynamodbEndpoint: readUrl(env, 'DYNAMODB_ENDPOINT'),
    sqsEndpoint: readUrl(env, 'SQS_ENDPOINT'),
    sweepSeconds: readSweepSeconds(env),
    concurrency: readConcurrency(env),
    rateLimits: readRateLimits(env),
    contact: readContact(env),
  };
};
