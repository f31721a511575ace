import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { apiWith, breakOpening, type Changes, dieBeforeWriting } from './live-faults.ts';
import { type LiveWorld, makeLiveWorld } from './live-world.ts';
import { UNUSED_URL } from './world.ts';

let customers = 0;
/** Makes a customer that no test has used before. */
export const newCustomer = () => {
  customers += 1;
  const digits = String(22_200_000_000 + customers);
  const email = `adaeze.okafor.${customers}@example.com`;
  return { name: 'Adaeze Okafor', email, phone: '+2348031234567', bvn: digits, nin: digits };
};
/** Makes a new customer as fields of a request. */
export const newCustomerFields = () => {
  const { name, phone, email, bvn, nin } = newCustomer();
  return { customer_name: name, customer_phone: phone, customer_email: email, bvn, nin };
};

/** The order of a checkout, unless a test sets other fields. The amount is in naira. */
const ORDER = { amount: 8_500, payer_email: 'chidi.eze@example.com' };
/** The amount of ORDER in kobo, and two wrong amounts. */
export const ASKED = 850_000;
export const UNDER = 800_000;
export const OVER = 900_000;

interface OpenCheckout {
  readonly reference: string;
  readonly accountNumber: string;
  readonly expiresAt: number;
}

/** Creates a business with live keys and one endpoint, and the calls that open its accounts and checkouts. */
export const openMerchant = async (world: LiveWorld) => {
  const business = await world.addBusiness([UNUSED_URL], 'live');
  const api = world.live(business);
  const askForAccount = (provider: ProviderName, headers: Record<string, string> = {}) =>
    api.createAccounts({ ...newCustomerFields(), provider }, headers);
  const ensureCreated = (answer: { status: number; text: string }): void => {
    if (answer.status !== 201) throw new Error(`The account or checkout was not created: ${answer.text}`);
  };
  const account = async (provider: ProviderName): Promise<{ id: string; accountNumber: string }> => {
    const answer = await askForAccount(provider);
    ensureCreated(answer);
    const [{ id, account_number: accountNumber }] = answer.json.accounts;
    return { id, accountNumber };
  };
  const checkout = async (provider: ProviderName, fields: Record<string, unknown> = {}): Promise<OpenCheckout> => {
    const answer = await api.initialize({ ...ORDER, payer_name: 'Chidi Eze', provider, ...fields });
    ensureCreated(answer);
    const { reference, account_number: accountNumber, expires_at } = answer.json.data;
    return { reference, accountNumber, expiresAt: Date.parse(expires_at) };
  };
  return {
    business,
    api,
    /** Returns the business's API with some dependencies replaced. */
    apiWith: (changes: Changes) => apiWith(world, business, changes),
    /** Makes a call in a process that is killed before it writes the outcome of the provider's call. */
    dieBeforeWriting: (call: Parameters<typeof dieBeforeWriting>[2]) => dieBeforeWriting(world, business, call),
    askForAccount,
    account,
    checkout,
    /** Opens a virtual account or a checkout, and pays it. */
    paidAccount: async (provider: ProviderName, amount: number) => {
      const opened = await account(provider);
      return { ...opened, ...(await world.pay(provider, opened.accountNumber, amount)) };
    },
    paidCheckout: async (provider: ProviderName, amount: number = ASKED) => {
      const opened = await checkout(provider);
      return { ...opened, ...(await world.pay(provider, opened.accountNumber, amount)) };
    },
    /** Starts a checkout whose account the provider opens, but the provider's answer is lost. Returns the opened account. */
    lostCheckout: async (provider: ProviderName, fields: Record<string, unknown> = {}) => {
      breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
      expect((await api.initialize({ ...ORDER, provider, ...fields })).status).toBe(502);
      const opened = world.simulator.books.accounts().at(-1);
      return { reference: opened?.reference ?? '', accountNumber: opened?.number ?? '' };
    },
    /** Reads a checkout as the business sees it. */
    fetch: async (reference: string) => (await api.verify(reference)).json.data,
    statusOf: async (reference: string): Promise<string> => (await api.verify(reference)).json.data.status,
    listedCheckouts: async () => (await api.listCheckouts()).json.data,
    listedAccounts: async () => (await api.listAccounts()).json.data,
    /** Lists the payments of a checkout as the business sees them, newest first, as `<naira> <outcome>`. */
    paymentsOf: async (reference: string): Promise<readonly string[]> =>
      (await api.verify(reference)).json.data.payments.map(
        ({ amount, outcome }: { amount: number; outcome: string }) => `${amount} ${outcome}`,
      ),
  };
};
export type LiveMerchant = Awaited<ReturnType<typeof openMerchant>>;

export let world: LiveWorld;
export let merchant: LiveMerchant;

/** Makes a new world and merchant. A test may call this again with other options. */
export const openWorld = async (options?: Parameters<typeof makeLiveWorld>[0]): Promise<void> => {
  world = await makeLiveWorld(options);
  merchant = await openMerchant(world);
};

/** Gives every test of a file its own world with one merchant: `world` and `merchant`. */
export const openWorldForEachTest = (options?: Parameters<typeof makeLiveWorld>[0]): void => {
  beforeEach(() => openWorld(options));
  afterEach(() => world.stop());
};
