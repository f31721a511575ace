import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_RATE_LIMITS } from '#infra/default-limits.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import type { Contact } from '#shared/platform/kernel/contact.ts';
import { type RateLimits, rateLimits } from '#shared/platform/requests/rate-limit.ts';
import { credentialsVariable, requiredFields } from '#shared/providers/credentials.ts';
import { byProvider, type RegisteredProvider } from '#shared/providers/registry.ts';
import { CannotStart } from './errors.ts';

/** The settings of the local stack. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** The address at which providers reach the stack; undefined for its own address. */
  readonly stageUrl: string | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  /** Emulators that the user runs; undefined for the embedded ones. */
  readonly dynamodbEndpoint: string | undefined;
  readonly sqsEndpoint: string | undefined;
  readonly sweepSeconds: number;
  /** Requests that each function handles at once. */
  readonly concurrency: number;
  /** Requests per second; 0 for no limit. */
  readonly rateLimits: RateLimits;
  /** The contact in the documents at /docs; null for none. */
  readonly contact: Contact | null;
  /** Whether the data of the last run is deleted first. */
  readonly reset: boolean;
  /** Whether live mode uses the provider simulator instead of the providers. */
  readonly liveSimulator: boolean;
  /** Whether a short text replaces the welcome, for a local stack that is restarted often. */
  readonly brief: boolean;
  /** The port of 127.0.0.1 on which a debugger may attach; undefined for none. */
  readonly inspectPort: number | undefined;
  /** Whether to print the help and start nothing. */
  readonly help: boolean;
}

/** An example of the variable PROVIDERS. */
export const PROVIDERS_EXAMPLE = '{"korapay": {"bank": "000"}}';

/** An example of the variable CONTACT. Either part may be left out. */
const CONTACT_EXAMPLE = '{"email": "integrations@example.com", "url": "https://example.com/support"}';

const formatCredentials = (schema: RegisteredProvider['credentials']): string =>
  `{${requiredFields(schema)
    .map((field) => `"${field}": "…"`)
    .join(', ')}}`;

const credentialVariables = Object.values(
  byProvider((name, { credentials }) => `  ${credentialsVariable(name).padEnd(22)}${formatCredentials(credentials)}`),
).join('\n');

/** Requests that each function handles at once: enough to keep two processors busy. */
const DEFAULT_CONCURRENCY = 32;
const MAX_CONCURRENCY = 10_000;

/** The text of `--help`. */
export const HELP = `Runs the whole service on this machine, with its own database and queues.

  npm start                 start with the data of the last run
  npm run dev               the same, and restart after every change of the code
  npm start -- --reset      delete the data in DATA_DIR and start again
  npm start -- --live-simulator  start with live mode too; a simulator replaces the providers, and no money moves
  npm start -- --inspect    let a debugger attach; requests have no time limit then
  npm start -- --brief      print a short text instead of the whole welcome
  npm start -- --help       show this text

Set these environment variables to change settings (defaults in parentheses):

  PORT               the port of the API; 0 takes any free port     (3000)
  HOST               the address of the API; only this machine can reach 127.0.0.1  (127.0.0.1)
  PUBLIC_URL         the address at which live providers reach the stack, e.g. of a tunnel  (the stack's own)
  DATA_DIR           the directory for data, keys and the log       (.local)
  DYNAMODB_ENDPOINT  another DynamoDB instead of the embedded one, e.g. http://127.0.0.1:8000
  SQS_ENDPOINT       another SQS instead of the embedded one, e.g. http://127.0.0.1:9324
  SWEEP_SECONDS      seconds between two sweeps of due work         (1)
  CONCURRENCY        requests that each function handles at once; others wait half a second  (${DEFAULT_CONCURRENCY})
  RATE_LIMITS        requests per second, as JSON; 0 for no limit   (${JSON.stringify(DEFAULT_RATE_LIMITS)})
  CONTACT            the contact for integrators at /docs, as JSON  (none), e.g. ${CONTACT_EXAMPLE}
  INSPECT_PORT       the port for a debugger with --inspect         (9229)
  PROVIDERS          the live providers and their settings, as JSON (none), e.g. ${PROVIDERS_EXAMPLE}
  ROUTING_ORDER      the order of providers for checkouts that name none, as JSON (none), e.g. ["paystack","monnify"]
  SANDBOX            test providers that shall be slow, refusing or silent, as JSON (none), e.g. {"paystack":"silent"}
${credentialVariables}
`;

const MAX_PORT = 65_535;
const MAX_SWEEP_SECONDS = 3_600;

type Env = Record<string, string | undefined>;

/** Reads a variable. An empty variable counts as not set. */
const readVariable = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

const readPort = (env: Env, name: 'PORT' | 'INSPECT_PORT', defaultPort: number): number => {
  const text = readVariable(env, name) ?? String(defaultPort);
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new CannotStart(`${name} must be a whole number from 0 to ${MAX_PORT}, e.g. ${name}=${defaultPort}.`);
};

const readSweepSeconds = (env: Env): number => {
  const text = readVariable(env, 'SWEEP_SECONDS') ?? '1';
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= MAX_SWEEP_SECONDS) return seconds;
  throw new CannotStart(
    `SWEEP_SECONDS must be a number of seconds above 0 and at most ${MAX_SWEEP_SECONDS}, e.g. SWEEP_SECONDS=1.`,
  );
};

const readConcurrency = (env: Env): number => {
  const text = readVariable(env, 'CONCURRENCY') ?? String(DEFAULT_CONCURRENCY);
  if (/^[1-9]\d*$/.test(text) && Number(text) <= MAX_CONCURRENCY) return Number(text);
  throw new CannotStart(
    `CONCURRENCY must be a whole number from 1 to ${MAX_CONCURRENCY}, e.g. CONCURRENCY=${DEFAULT_CONCURRENCY}.`,
  );
};

const readRateLimits = (env: Env): RateLimits => {
  const text = readVariable(env, 'RATE_LIMITS');
  if (text === undefined) return DEFAULT_RATE_LIMITS;
  try {
    return rateLimits.parse(JSON.parse(text));
  } catch {
    throw new CannotStart(
      `RATE_LIMITS must be JSON with whole numbers of requests per second, e.g. RATE_LIMITS='${JSON.stringify(DEFAULT_RATE_LIMITS)}'.`,
    );
  }
};

const readContact = (env: Env): Contact | null => {
  const parsed = publishedEnv.shape.CONTACT.safeParse(readVariable(env, 'CONTACT') ?? 'null');
  if (parsed.success) return parsed.data;
  throw new CannotStart(
    `CONTACT must be JSON with an e-mail address, an https address, or both, e.g. CONTACT='${CONTACT_EXAMPLE}'.`,
  );
};

const readUrl = (env: Env, name: 'DYNAMODB_ENDPOINT' | 'SQS_ENDPOINT' | 'PUBLIC_URL'): string | undefined => {
  const text = readVariable(env, name);
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
    throw new CannotStart(`npm start does not know these arguments: ${args.join(' ')}. See: npm start -- --help`);
  }
};

/**
 * Reads the settings from arguments and environment.
 * @throws CannotStart for an unknown argument or an invalid setting.
 */
export const readSettings = (args: readonly string[], env: Env): Settings => {
  const { inspect, 'live-simulator': liveSimulator, 'live-twin': formerName, ...flags } = readArguments(args);
  return {
    ...flags,
    liveSimulator: liveSimulator || formerName,
    inspectPort: inspect ? readPort(env, 'INSPECT_PORT', 9229) : undefined,
    port: readPort(env, 'PORT', 3000),
    host: readVariable(env, 'HOST') ?? '127.0.0.1',
    stageUrl: readUrl(env, 'PUBLIC_URL'),
    dataDir: resolve(readVariable(env, 'DATA_DIR') ?? '.local'),
    dynamodbEndpoint: readUrl(env, 'DYNAMODB_ENDPOINT'),
    sqsEndpoint: readUrl(env, 'SQS_ENDPOINT'),
    sweepSeconds: readSweepSeconds(env),
    concurrency: readConcurrency(env),
    rateLimits: readRateLimits(env),
    contact: readContact(env),
  };
};
