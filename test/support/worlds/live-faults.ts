import type { Fault } from '#infra/local/simulator/simulator.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { liveProviders, providers } from '#shared/providers/live-providers.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { ProviderSettings } from '#shared/providers/settings.ts';
import { createApiClient } from './api-client.ts';
import { type LiveWorld, LONG_TIMEOUTS } from './live-world.ts';
import { OPENING } from './provider-calls.ts';

export type Business = Awaited<ReturnType<LiveWorld['addBusiness']>>;
export type LiveApi = ReturnType<LiveWorld['live']>;
/** Dependencies that replace some of a world's. */
export type Changes = Partial<LiveWorld['deps']>;

/** Makes the next call that opens an account fail. `onArrival` is called when that call arrives. */
export const breakOpening = (
  { simulator }: Pick<LiveWorld, 'simulator'>,
  provider: ProviderName,
  work: 'accounts' | 'checkout',
  fault: Fault,
  onArrival = (): void => {},
): void => {
  // Paystack lists a customer's accounts under the same path just before.
  let passing = provider === 'paystack' && work === 'accounts' ? 1 : 0;
  const random = (): number => {
    passing -= 1;
    if (passing >= 0) return 1;
    onArrival();
    return 0;
  };
  simulator.fault(provider, { ...fault, path: OPENING[provider][work], times: 1, probability: 0.5, random });
};

/** Returns the business's API with some dependencies replaced. */
export const apiWith = (world: LiveWorld, business: Business, deps: Partial<LiveWorld['deps']>): LiveApi =>
  createApiClient({ ...world, deps: { ...world.deps, ...deps } }, business.keys.secret_live);

/** Replaces some methods of each provider. */
export const changeProviders = (
  { deps }: LiveWorld,
  change: (issuer: AccountIssuer, name: ProviderName) => Partial<AccountIssuer>,
): Pick<LiveWorld['deps'], 'providers'> => ({
  providers: (mode: Mode, name: ProviderName) => {
    const issuer = deps.providers(mode, name);
    return issuer && { ...issuer, ...change(issuer, name) };
  },
});

/** Time limits, in milliseconds, for tests of a provider that does not answer. */
export const SHORT_TIMEOUTS = { ...LONG_TIMEOUTS, answerMs: 1_000 };

/** Makes the providers with other settings or shorter timeouts, as a new process would, on the same table. */
export const makeProvidersWith = (
  world: LiveWorld,
  settings: ProviderSettings,
  timeouts: Partial<typeof LONG_TIMEOUTS> = LONG_TIMEOUTS,
  breakers = world.deps.providerBreakers,
) => {
  const { now, wait, log, metrics } = world.deps;
  const enabled = liveProviders(settings, { now, wait, log, metrics, breakers, timeouts, stageUrl: world.stageUrl });
  return { liveProviders: enabled, providers: providers(world.deps.randomBytes, world.deps.wait, enabled) };
};

/** Makes settings in which no server listens at these providers' addresses. */
export const makeUnreachableSettings = ({ settings }: LiveWorld, names: readonly ProviderName[]): ProviderSettings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, provider]) => [
      name,
      names.some((away) => away === name) ? { ...provider, baseUrl: 'http://127.0.0.1:9' } : provider,
    ]),
  );

/** Waits until a call has reached a point. @throws Error if the call is answered first. */
export const untilReached = async (point: Promise<void>, call: Promise<unknown>): Promise<void> => {
  const answered = call.then((answer) => {
    throw new Error(`The call was answered before it reached the point: ${JSON.stringify(answer)}`);
  });
  await Promise.race([point, answered]);
  // The race is over: a later failure of the call must not count as unhandled.
  answered.catch(() => {});
};

/**
 * Makes a call in a process that is killed before it writes the outcome of the provider's call. `call` gets the business's API of that process,
 * and its dependencies.
 */
export const dieBeforeWriting = async (
  world: LiveWorld,
  business: Business,
  call: (api: LiveApi, deps: LiveWorld['deps']) => Promise<unknown>,
): Promise<void> => {
  const { dead, die } = createDeath();
  const checkoutIntents = { ...world.deps.checkoutIntents, settle: die };
  const accountIntents = { ...world.deps.accountIntents, settle: die };
  const dying = { checkoutIntents, accountIntents, transactions: { commit: die } };
  await untilReached(dead, call(apiWith(world, business, dying), { ...world.deps, ...dying }));
};

/** Makes a promise, `opened`, that resolves when `open` is called. */
export const createGate = () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

/** Makes a point at which calls of `pass` wait. `reached` resolves at the first call. All calls continue after `release`. */
export const createHoldingPoint = () => {
  const [reached, released] = [createGate(), createGate()];
  let calls = 0;
  const pass = (): Promise<void> => {
    calls += 1;
    reached.open();
    return released.opened;
  };
  return { pass, reached: reached.opened, release: released.open, calls: () => calls };
};

/** Simulates the kill of a process: `die` never returns, and `dead` resolves when `die` was called. */
export const createDeath = () => {
  const { pass, reached } = createHoldingPoint();
  return {
    dead: reached,
    die: async (): Promise<never> => {
      await pass();
      throw new Error('A killed process continued.');
    },
  };
};

/** Makes a function whose promises resolve together when it has been called `size` times. */
export const createBarrier = (size: number): (() => Promise<void>) => {
  const { open, opened } = createGate();
  let inside = 0;
  return () => {
    inside += 1;
    if (inside === size) open();
    return opened;
  };
};
