import { createHmac } from 'node:crypto';
import type { Twin } from '#infra/local/twin/twin.ts';
import { attemptReferences } from '#shared/domain/checkouts/attempt-reference.ts';
import { checkout } from '#shared/domain/checkouts/checkout.ts';
import { MINUTE } from '#shared/domain/kernel/time.ts';
import { nameOfOwner, type Payment, payment } from '#shared/domain/money/payment.ts';
import { isReturned } from '#shared/domain/money/report.ts';
import { type UnmatchedPayment, unmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import { virtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { sweepDueWork } from './functions.ts';
import type { LiveWorld } from './live-world.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/* Steps that tests of live money share. Amounts are kobo unless they come from the API. */

export const PROVIDERS = ['paystack', 'monnify', 'korapay'] as const satisfies readonly ProviderName[];

/** The calls that ask a provider about one payment, and those that list payments. */
export const LOOK_UP: Record<ProviderName, RegExp> = {
  paystack: /^\/transaction\/verify\//,
  monnify: /^\/api\/v2\/(merchant\/transactions\/query|transactions\/)/,
  korapay: /^\/charges\/(?!bank-transfer)/,
};
export const LIST: Record<ProviderName, RegExp> = {
  paystack: /^\/transaction$/,
  monnify: /^\/api\/v1\/transactions\/search$/,
  korapay: /^\/pay-ins$/,
};

/** Counts the calls to a path from now on, with a fault that never strikes. `fault(provider, null)` ends the count. */
export const countCalls = (twin: Twin, provider: ProviderName, path: RegExp): (() => number) => {
  let calls = 0;
  const random = (): number => {
    calls += 1;
    return 1;
  };
  twin.fault(provider, { kind: 'slow', ms: 0, path, probability: 0, random });
  return () => calls;
};

let customers = 0;
/** A customer that no test has used before. */
export const newCustomer = () => {
  customers += 1;
  const digits = String(22_200_000_000 + customers);
  return { name: 'Adaeze Okafor', email: `adaeze.okafor.${customers}@example.com`, phone: '+2348031234567', digits };
};

/** A business with a live key and one endpoint, and the calls that open its accounts and checkouts. */
export const openMerchant = async (world: LiveWorld) => {
  const business = await world.addBusiness(['http://127.0.0.1:9/unused'], 'live');
  const api = world.live(business);
  const created = (answer: { status: number; text: string }): void => {
    if (answer.status !== 201) throw new Error(`It was not created: ${answer.text}`);
  };
  return {
    business,
    api,
    askForAccount: (provider: ProviderName, headers: Record<string, string> = {}) => {
      const { name, email, phone, digits } = newCustomer();
      const customer = { customer_name: name, customer_phone: phone, customer_email: email, bvn: digits, nin: digits };
      return api.createAccounts({ ...customer, provider }, headers);
    },
    /** An open virtual account, as the API shows it. */
    async account(provider: ProviderName): Promise<{ id: string; account_number: string }> {
      const answer = await this.askForAccount(provider);
      created(answer);
      return answer.json.accounts[0];
    },
    /** A checkout over ₦8,500, as the API shows it. */
    checkout: async (
      provider: ProviderName,
      of: Record<string, unknown> = {},
    ): Promise<{ reference: string; account_number: string; expires_at: string; version: number }> => {
      const payer = { payer_email: 'chidi.eze@example.com', payer_name: 'Chidi Eze' };
      const answer = await api.initialize({ amount: 8_500, ...payer, provider, ...of });
      created(answer);
      return answer.json.data;
    },
  };
};
export type LiveMerchant = Awaited<ReturnType<typeof openMerchant>>;

/** Lets minutes pass: after every `each` of them the scheduled functions run once, and notifications sent meanwhile arrive. */
export const minutesPass = async (world: LiveWorld, minutes: number, each = 1): Promise<void> => {
  for (let passed = 0; passed < minutes; passed += each) {
    world.clock.advance(each * MINUTE);
    await sweepDueWork(world.deps, world.clock.now() + 30_000);
    await world.twin.settled();
  }
};

/** A notification as the provider sent it. */
export interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Holds a provider's notifications back from now on, instead of letting them reach us. */
export const holdNotifications = async (world: LiveWorld, provider: ProviderName) => {
  const receiver: Receiver = await startReceiver();
  world.twin.notifyAt(provider, receiver.url);
  return {
    /** The notifications held back so far, oldest first. */
    async held(): Promise<readonly Sent[]> {
      await world.twin.settled();
      return receiver.received.map(({ headers, body }) => ({
        headers: Object.fromEntries(
          Object.entries(headers).filter(([name]) => name.includes('signature') || name === 'content-type'),
        ) as Record<string, string>,
        body,
      }));
    },
    stop: receiver.stop,
  };
};

/** Sends a notification to us, as the provider would. */
export const notify = async (
  world: LiveWorld,
  provider: ProviderName | 'flutterwave',
  { headers, body }: Sent,
): Promise<{ status: number; json: Record<string, unknown> }> => {
  const url = world.notificationUrl(provider as ProviderName);
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
};

const digest = (algorithm: string, secret: string, text: string): string =>
  createHmac(algorithm, secret).update(text).digest('hex');

/** A notification with any content, signed as the provider would (providers.md sections 1.5, 2.5, 3.5). */
export const signed = (
  world: LiveWorld,
  provider: ProviderName,
  content: Record<string, unknown>,
  secret: string = world.twin.credentials[provider].secretKey,
): Sent => {
  const body = JSON.stringify(content);
  const type = { 'content-type': 'application/json' };
  if (provider === 'paystack') {
    return { body, headers: { ...type, 'x-paystack-signature': digest('sha512', secret, body) } };
  }
  if (provider === 'monnify')
    return { body, headers: { ...type, 'monnify-signature': digest('sha512', secret, body) } };
  const data = JSON.stringify(content.data);
  return { body, headers: { ...type, 'x-korapay-signature': digest('sha256', secret, data) } };
};

/** An event's body, as far as these tests read it. */
export interface AnnouncedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly reference?: string;
    readonly version?: number;
    readonly status?: string;
    readonly paid_amount?: number;
    readonly payment?: { readonly amount: number; readonly outcome: string };
    readonly virtual_account?: { readonly id: string };
  };
}

/** Every announced event: a checkout's by version, and otherwise oldest first. */
export const announcedEvents = async (world: Pick<LiveWorld, 'itemsOf'>): Promise<readonly AnnouncedEvent[]> => {
  const events = (await world.itemsOf('EVT')).map(({ body }) => JSON.parse(String(body)) as AnnouncedEvent);
  return events.sort(
    (one, other) => (one.data.version ?? 0) - (other.data.version ?? 0) || one.id.localeCompare(other.id),
  );
};
/** The types of the events of one checkout or account. */
export const eventTypesOf = async (world: LiveWorld, id: string): Promise<readonly string[]> =>
  (await announcedEvents(world))
    .filter(({ data }) => data.reference === id || data.virtual_account?.id === id)
    .map(({ type }) => type);

/** Payments that have an owner. */
export const recorded = async (world: LiveWorld): Promise<readonly Payment[]> =>
  (await world.itemsOf('PAY')).filter((item) => item.unmatched !== true).map((item) => payment.parse(item));
/** Unmatched money, without what the provider has returned since. */
export const unmatched = async (world: LiveWorld): Promise<readonly UnmatchedPayment[]> =>
  (await world.itemsOf('PAY'))
    .filter((item) => item.unmatched === true)
    .map((item) => unmatchedPayment.parse(item))
    .filter(({ money }) => !isReturned(money));

/** The amounts of the payments that have an owner, the smallest first. */
export const recordedAmounts = async (world: LiveWorld): Promise<readonly number[]> =>
  (await recorded(world)).map(({ amount }) => Number(amount)).sort((a, b) => a - b);

/** How often an event was logged. */
export const loggedTimes = (world: LiveWorld, event: string): number =>
  world.logged.filter((line) => line.event === event).length;
/** The sum of a metric's values. */
export const measuredSum = (world: LiveWorld, metric: string): number =>
  world.measured.filter((one) => one.metric === metric).reduce((sum, { value }) => sum + value, 0);

/** The world with some methods of one provider replaced; `script` gets the real provider. */
export const withScriptedProvider = (
  world: LiveWorld,
  provider: ProviderName,
  script: (real: LiveProvider) => Partial<LiveProvider>,
): LiveWorld => {
  const liveProviders = (name: ProviderName): LiveProvider | undefined => {
    const real = world.deps.liveProviders(name);
    return real && name === provider ? { ...real, ...script(real) } : real;
  };
  return { ...world, deps: { ...world.deps, liveProviders } };
};

/** The money of one checkout or account, in kobo: in our books, as its business sees it, and at the provider. */
export interface Balance {
  readonly id: string;
  readonly accepted: number;
  readonly shown: number;
  readonly kept: number;
  readonly version: number;
  readonly announcedVersions: readonly number[];
}

/** The balance of every checkout and every virtual account. */
export const balances = async (world: LiveWorld): Promise<readonly Balance[]> => {
  const payments = await recorded(world);
  const events = await announcedEvents(world);
  const acceptedOf = (id: string): number =>
    payments
      .filter(({ owner, outcome }) => outcome === 'accepted' && id === nameOfOwner(owner))
      .reduce((sum, { amount }) => sum + amount, 0);
  const keptOf = (references: readonly string[]): number =>
    references.reduce((sum, reference) => sum + world.twin.books.keptFor(reference), 0);
  const checkouts = (await world.itemsOf('CHK'))
    .map((item) => checkout.parse(item))
    .map(
      ({ reference, paidAmount, version }): Balance => ({
        id: reference,
        accepted: acceptedOf(reference),
        shown: paidAmount,
        kept: keptOf(attemptReferences(reference)),
        version,
        announcedVersions: events
          .filter(({ data }) => data.reference === reference)
          .flatMap(({ data }) => data.version ?? []),
      }),
    );
  const accounts = (await world.itemsOf('VA'))
    .filter(({ sk }) => sk === 'VA')
    .map((item) => virtualAccount.parse(item))
    .map(({ id }): Balance => {
      const changes = events.filter(({ data }) => data.virtual_account?.id === id);
      const shown = changes.reduce(
        (sum, { type, data }) =>
          sum + Math.round((data.payment?.amount ?? 0) * 100) * (type.endsWith('received') ? 1 : -1),
        0,
      );
      return { id, accepted: acceptedOf(id), shown, kept: keptOf([id]), version: 1, announcedVersions: [] };
    });
  return [...checkouts, ...accounts];
};

/** Expects that all books agree, and that every change of a checkout was announced once under a version of its own. */
export const expectBooksToAgree = async (world: LiveWorld): Promise<void> => {
  for (const { id, accepted, shown, kept, version, announcedVersions } of await balances(world)) {
    expect({ id, accepted, shown }).toEqual({ id, accepted: kept, shown: kept });
    expect({ id, announcedVersions }).toEqual({
      id,
      announcedVersions: Array.from({ length: version - 1 }, (_, i) => i + 2),
    });
  }
};

/** Expects that a checkout, its payments and its events agree on a sum in kobo. */
export const expectCheckoutSum = async (world: LiveWorld, reference: string, sum: number): Promise<void> => {
  const balance = (await balances(world)).find(({ id }) => id === reference);
  expect(balance).toMatchObject({ accepted: sum, shown: sum });
  expect(balance?.announcedVersions).toEqual(Array.from({ length: (balance?.version ?? 0) - 1 }, (_, i) => i + 2));
};
