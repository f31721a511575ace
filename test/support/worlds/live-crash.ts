import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { type ApiCall, apiEvent } from './api-event.ts';
import { type Business, breakOpening } from './live-faults.ts';
import type { LiveWorld } from './live-world.ts';

/** Where a process that opens accounts dies: before or after the provider has done what was asked. */
export const CRASHES = ['before the provider answers', 'before the answer is written'] as const;
export type Crash = (typeof CRASHES)[number];

/** Where a process dies that goes on to the next provider: before it has written that, or before that provider answers. */
export const CRASHES_ON_THE_WAY = ['before the move is written', 'before the next provider answers'] as const;

/** Whether a call is the transaction that writes the outcome of the providers' calls, after which none of them is being asked. */
const writesOutcome = (operation: string, input: Record<string, unknown>): boolean => {
  const text = JSON.stringify(input);
  const isOpen = /"status":\{"S":"(active|pending)"\}/.test(text) && !/"state":\{"S":"opening"\}/.test(text);
  return operation === 'TransactWriteItems' && isOpen;
};
/** Whether it is the transaction that moves a checkout on to its next provider. */
const writesMove = (operation: string, input: Record<string, unknown>): boolean =>
  operation === 'TransactWriteItems' &&
  /"state":\{"S":"(unknown|refused)"\}.*"state":\{"S":"opening"\}/.test(JSON.stringify(input));

/** `finished` resolves once `met` was called `times` times. */
const countdown = (times: number) => {
  let left = times;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    finished,
    met: (): void => {
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
  /** The providers at which the requests open accounts: a checkout's at one, one for virtual accounts at all of them. */
  readonly providers: readonly ProviderName[];
  /** The stage's order of providers. */
  readonly order?: readonly ProviderName[];
}

/**
 * Makes a business's requests in a process of their own, and kills it once all of them have reached the point. With `before the provider answers`,
 * the providers do not do what they were asked.
 * @returns the process's log.
 */
export const crash = async (
  world: LiveWorld,
  business: Business,
  { work, requests, providers, order = [] }: CrashedWork,
  at: Crash | (typeof CRASHES_ON_THE_WAY)[number],
): Promise<string> => {
  const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const unanswered = at === 'before the provider answers' || at === 'before the next provider answers';
  const isReached = at === 'before the move is written' ? writesMove : writesOutcome;
  const { finished, met } = countdown(unanswered ? providers.length : requests.length);
  if (unanswered)
    for (const name of providers)
      breakOpening(world, name, work === 'accounts' ? work : 'checkout', { kind: 'hung' }, met);
  else {
    proxy.inject((operation, input) => {
      if (!isReached(operation, input)) return undefined;
      met();
      return 'hang';
    });
  }
  const authorization = `Bearer ${business.keys.secret_live}`;
  const events = requests.map(({ body, headers, params }) =>
    apiEvent({ path: PATHS[work], body, headers: { authorization, ...headers }, ...(params && { params }) }),
  );
  const given = { now: world.clock.now(), work, events };
  const child = spawn(process.execPath, ['test/support/worlds/live-child.ts', JSON.stringify(given)], {
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
