import { SECOND } from '#shared/platform/kernel/time.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type ApiAnswer, createApiClient } from '#test/support/worlds/api-client.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import type { Deps, Lives } from './lives.ts';

type Business = Awaited<ReturnType<LiveWorld['addBusiness']>>;
type Api = ReturnType<typeof createApiClient>;
export interface Opening {
  readonly business: Business;
  readonly key: string;
  readonly call: (api: Api, headers: Record<string, string>) => Promise<ApiAnswer>;
  /** Makes providers fail. It applies only in the first rounds. Otherwise some client might never get a final answer. */
  readonly fail?: (deps: Deps) => Deps;
}

/** Longer than the lease of an intent, so that a retry may take over the intent of a killed request. */
const RETRY_AFTER = 31 * SECOND;
/** The number of rounds after which a client without a final answer gives up. */
const ROUNDS = 12;
/** The number of rounds in which the `fail` of an opening applies. */
const FAILING_ROUNDS = 3;

const NAMES = ['Adaeze Okafor', 'Chidi Eze', 'Sade Balogun', 'Ibrahim Musa', 'Ngozi Nwosu', 'Tunde Bakare'] as const;

/** Makes the opening of a customer's virtual accounts at all three providers. `number` distinguishes customers. */
export const makeAccountsOpening = (business: Business, number: number): Opening => ({
  business,
  key: `accounts-${number}`,
  call: (api, headers) =>
    api.createAccounts(
      {
        customer_name: NAMES[number % NAMES.length],
        customer_phone: `+23480${String(30_000_000 + number)}`,
        customer_email: `customer.${number}@example.com`,
        bvn: String(22_200_000_000 + number),
        nin: String(12_300_000_000 + number),
        banks: [...PROVIDERS],
      },
      headers,
    ),
});

/** Makes the opening of a checkout. `amount` is in kobo. If `provider` is `null`, we choose the provider. */
export const makeCheckoutOpening = (
  business: Business,
  number: number,
  provider: ProviderName | null,
  amount: number,
  fail?: Opening['fail'],
): Opening => ({
  business,
  key: `checkout-${number}`,
  ...(fail && { fail }),
  call: (api, headers) =>
    api.initialize(
      {
        amount: amount / 100,
        payer_email: `payer.${number}@example.com`,
        payer_name: NAMES[number % NAMES.length],
        ...(provider && { provider }),
        merchant_reference: `ORDER-${number}`,
        expires_in: 900,
      },
      headers,
    ),
});

/**
 * Lets clients send their requests, all at once, until each has a final answer. After a dead connection, a conflict or a server error they
 * repeat the request under its Idempotency-Key. `leaves` decides whether a client gives up after a dead connection. `sweep` runs
 * after the later rounds. It settles accounts that were opened for requests without attempts left.
 * @returns the answers in the order of the openings; undefined if a client left.
 * @throws Error when a client never gets a final answer.
 */
export const openAll = async (
  world: LiveWorld,
  lives: Lives,
  openings: readonly Opening[],
  leaves: () => boolean,
  sweep: () => Promise<void> = async () => {},
): Promise<readonly (ApiAnswer | undefined)[]> => {
  const answers: (ApiAnswer | undefined)[] = openings.map(() => undefined);
  const texts = new Set<string>();
  let waiting = openings.map((opening, i) => ({ opening, i }));
  const ask = async (
    { opening: { business, key, call, fail = (deps) => deps }, i }: (typeof waiting)[number],
    round: number,
  ): Promise<boolean> => {
    const failInFirstRounds = round < FAILING_ROUNDS ? fail : (deps: Deps) => deps;
    try {
      const answer = await lives.begin().run((deps) =>
        call(createApiClient({ ...world, deps: failInFirstRounds(deps) }, business.keys.secret_live), {
          'idempotency-key': key,
        }),
      );
      texts.add(answer.text);
      if (answer.status !== 201 && answer.json.code !== 'all_providers_failed') return true;
      answers[i] = answer;
      return false;
    } catch {
      return !leaves();
    }
  };
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++) {
    texts.clear();
    const again = await Promise.all(waiting.map((client) => ask(client, round)));
    waiting = waiting.filter((_, i) => again[i]);
    world.clock.advance(RETRY_AFTER);
    if (waiting.length > 0 && round >= FAILING_ROUNDS) await sweep();
  }
  if (waiting.length > 0) throw new Error(`Clients never got a final answer, but: ${[...texts].join('; ')}`);
  return answers;
};
