import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { type ApiCall, apiEvent } from './api-event.ts';
import { type Business, breakOpening } from './live-faults.ts';
import type { LiveWorld } from './live-world.ts';

/** The moment at which a process that opens accounts is killed: before or after the provider has done its work. */
export const CRASHES = ['before the provider answers', 'before the answer is written'] as const;
export type Crash = (typeof CRASHES)[number];

/** The moment at which a process that tries the next provider is killed: before it has written the move, or before the next provider answers. */
export const CRASHES_ON_THE_WAY = ['before the move is written', 'before the next provider answers'] as const;

/** Tells whether a call is the transaction that writes the outcome of the provider calls: no provider call is open after it. */
const writesOutcome = (operation: string, input: Record<string, unknown>): boolean => {
  const text = JSON.stringify(input);
  const isOpen = /"status":\{"S":"(active|pending)"\}/.test(text) && !/"state":\{"S":"opening"\}/.test(text);
  return operation === 'TransactWriteItems' && isOpen;
};
/** Tells whether a call is the transaction that moves a checkout to its next provider. */
const writesMove = (operation: string, input: Record<string, unknown>): boolean =>
  operation === 'TransactWriteItems' &&
  /"state":\{"S":"(unknown|refused)"\}.*"state":\{"S":"opening"\}/.test(JSON.stringify(input));

/** Returns a counter: the promise `finished` resolves when `countArrival` was called `times` times. */
const startCountdown = (times: number) => {
  let left = times;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    finished,
    countArrival: (): void => {
      left -= 1;
      if (left === 0) finish();
    },
  };
};

const PATHS = {
  accounts: '/api/v1/virtual-accounts',
  checkout: '/api/v1/checkout/initialize',
  'another account': '/api/v1/checkouts/{reference}/another-account',
};

export interface CrashedWork {
  readonly work: keyof typeof PATHS;
  readonly requests: readonly Pick<ApiCall, 'body' | 'headers' | 'params'>[];
  /** The providers at which the requests open accounts: a checkout at one, a request for virtual accounts at all of them. */
  readonly providers: readonly ProviderName[];
  /** The stage's order of providers. */
  readonly order?: readonly ProviderName[];
}

/**
 * Makes a business's requests in another process, and kills that process when all requests have reached the moment `at`. With
 * `before the provider answers`, the providers do not do the requested work.
 * @returns the process's log.
 */
export const crash = async (
  world: LiveWorld,
  business: Business,
  { work, requests, providers, order = [] }: CrashedWork,
  at: Crash | (typeof CRASHES_ON_THE_WAY)[number],
): Promise<string> => {
  const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const isUnanswered = at === 'before the provider answers' || at === 'before the next provider answers';
  const isReached = at === 'before the move is written' ? writesMove : writesOutcome;
  const { finished, countArrival } = startCountdown(isUnanswered ? providers.length : requests.length);
  if (isUnanswered)
    for (const name of providers)
      breakOpening(world, name, work === 'accounts' ? work : 'checkout', { kind: 'hung' }, countArrival);
  else {
    proxy.inject((operation, input) => {
      if (!isReached(operation, input)) return undefined;
      countArrival();
      return 'hang';
    });
  }
  const authorization = `Bearer ${business.keys.secret_live}`;
  const events = requests.map(({ body, headers, params }) =>
    apiEvent({ path: PATHS[work], body, headers: { authorization, ...headers }, ...(params && { params }) }),
  );
  const input = { now: world.clock.now(), work, events };
  const child = spawn(process.execPath, ['test/support/worlds/live-child.ts', JSON.stringify(input)], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TABLE_NAME: world.table.name,
      AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
      PROVIDERS: JSON.stringify(world.settings),
      ROUTING_ORDER: JSON.stringify(order),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exited = once(child, 'exit');
  const ended = exited.then(() => 'ended' as const);
  try {
    const first = await Promise.race([finished, ended]);
    if (first === 'ended') throw new Error(`The process ended before it could be killed: ${output}`);
  } finally {
    child.kill('SIGKILL');
    await exited;
    await proxy.stop();
  }
  return output;
};
