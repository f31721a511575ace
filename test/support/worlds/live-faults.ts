import type { Fault } from '#infra/local/twin/twin.ts';
import { liveProviders, providers } from '#shared/adapters/providers/live-providers.ts';
import type { ProviderSettings } from '#shared/adapters/providers/settings.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { AccountIssuer } from '#shared/ports/providers.ts';
import { apiClient } from './api-client.ts';
import type { LiveWorld } from './live-world.ts';

export const PROVIDERS = ['paystack', 'monnify', 'korapay'] as const satisfies readonly ProviderName[];
export type Business = Awaited<ReturnType<LiveWorld['addBusiness']>>;
export type LiveApi = ReturnType<LiveWorld['live']>;

/** The call with which a provider opens an account; Monnify's for one payment is the second of two. */
const OPENING: Record<ProviderName, Record<'accounts' | 'checkout', RegExp>> = {
  paystack: { accounts: /^\/dedicated_account$/, checkout: /^\/charge$/ },
  monnify: { accounts: /reserved-accounts$/, checkout: /init-payment$/ },
  korapay: { accounts: /^\/virtual-bank-account$/, checkout: /^\/charges\/bank-transfer$/ },
};

/** Breaks the next call that opens an account, and tells when it came. */
export const breakOpening = (
  { twin }: Pick<LiveWorld, 'twin'>,
  provider: ProviderName,
  work: 'accounts' | 'checkout',
  fault: Fault,
  met = (): void => {},
): void => {
  // Paystack lists a customer's accounts under the same path just before.
  let passing = provider === 'paystack' && work === 'accounts' ? 1 : 0;
  const random = (): number => {
    passing -= 1;
    if (passing >= 0) return 1;
    met();
    return 0;
  };
  twin.fault(provider, { ...fault, path: OPENING[provider][work], times: 1, probability: 0.5, random });
};

/** The business's API in a process that differs in some dependencies. */
export const apiWith = (world: LiveWorld, business: Business, deps: Partial<LiveWorld['deps']>): LiveApi =>
  apiClient({ ...world, deps: { ...world.deps, ...deps } }, business.keys.secret_live);

/** The providers, each with some of its methods replaced. */
export const changedProviders = (
  { deps }: LiveWorld,
  change: (issuer: AccountIssuer, name: ProviderName) => Partial<AccountIssuer>,
): Pick<LiveWorld['deps'], 'providers'> => ({
  providers: (mode: Mode, name: ProviderName) => {
    const issuer = deps.providers(mode, name);
    return issuer && { ...issuer, ...change(issuer, name) };
  },
});

/** Longer than any answer of the twin takes, however slow the machine is. */
export const PATIENT = { connectMs: 20_000, answerMs: 20_000 };
/** What a provider's silence costs a test. */
export const IMPATIENT = { ...PATIENT, answerMs: 1_000 };

/** The providers under other settings, or with less patience: as a new process would make them, on the same table. */
export const providersAt = (
  world: LiveWorld,
  settings: ProviderSettings,
  patience = PATIENT,
  breakers = world.deps.providerBreakers,
) => {
  const { now, log, metrics } = world.deps;
  const enabled = liveProviders(settings, { now, log, metrics, breakers, patience });
  return { liveProviders: enabled, providers: providers(world.deps.randomBytes, enabled) };
};

/** Settings in which nobody listens at these providers' addresses. */
export const unreachable = ({ settings }: LiveWorld, names: readonly ProviderName[]): ProviderSettings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, one]) => [
      name,
      names.some((away) => away === name) ? { ...one, baseUrl: 'http://127.0.0.1:9' } : one,
    ]),
  );

/** Waits until a call has come to a point; throws when it is answered instead. */
export const reaches = async (point: Promise<void>, call: Promise<unknown>): Promise<void> => {
  const answered = call.then((answer) => {
    throw new Error(`It was answered: ${JSON.stringify(answer)}`);
  });
  await Promise.race([point, answered]);
  // Its later answer is not this point's affair.
  answered.catch(() => {});
};

/** Makes a call in a process that dies before it writes what came of the provider's call. */
export const dieBeforeWriting = async (
  world: LiveWorld,
  business: Business,
  call: (api: LiveApi) => Promise<unknown>,
): Promise<void> => {
  const { opened: dead, open: die } = gate();
  const settle = (): Promise<never> => {
    die();
    return new Promise<never>(() => {});
  };
  const checkoutIntents = { ...world.deps.checkoutIntents, settle };
  const accountIntents = { ...world.deps.accountIntents, settle };
  await reaches(dead, call(apiWith(world, business, { checkoutIntents, accountIntents })));
};

/** Nobody passes before it is opened. */
export const gate = () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

/** Lets nobody pass before so many have come. */
export const barrier = (size: number): (() => Promise<void>) => {
  const { open, opened } = gate();
  let inside = 0;
  return () => {
    inside += 1;
    if (inside === size) open();
    return opened;
  };
};

/** What was announced, oldest first. */
export const announced = async (
  world: Pick<LiveWorld, 'itemsOf'>,
): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  (await world.itemsOf('EVT'))
    .map(({ body }) => JSON.parse(String(body)))
    .toSorted((one, other) => String(one.id).localeCompare(String(other.id)));
