import type { Item } from '#shared/platform/table/table.ts';
import { createApiClient } from './api-client.ts';
import type { LiveWorld } from './live-world.ts';

/** A payer. Each field differs from that of the other payer, so a stored item shows whose it is. */
export const TUNDE = {
  email: 'Tunde.Bakare@payer.example',
  name: 'Tunde Bakare',
  phone: '+2348031234567',
  sender: 'Ifeoma Obi',
  bank: 'Wema Bank',
};
/** The patterns that find each of these fields in stored items. */
const TRACES = /tunde|bakare|8031234567|ifeoma|wema bank/i;

/** Another payer who pays the same business in the same ways. */
const NGOZI = {
  email: 'ngozi@payer.example',
  name: 'Ngozi Eze',
  phone: '+2348099999999',
  sender: 'Chidi Eze',
  bank: 'GTBank',
};
type Person = typeof TUNDE;

type Business = Awaited<ReturnType<LiveWorld['addBusiness']>>;

/** Lets a person pay a business in every way that stores something. */
const payEverywhere = async (world: LiveWorld, business: Business, person: Person) => {
  const { email, name, phone, sender, bank } = person;
  const key = { 'idempotency-key': `order of ${name.length} ${world.clock.now()}`.replaceAll(' ', '-') };
  const metadata = {
    cart: 'ankara-6-yards',
    contact: { mail: email, tel: phone.replace('+234', '0') },
    tags: [name, 'new'],
  };
  const order = { amount: 8_500.75, payer_email: email, payer_name: name, metadata };
  const customer = { customer_name: name, customer_email: email, customer_phone: phone, metadata };
  const test = createApiClient(world, business.keys.secret_test);
  const live = world.live(business);
  const references: string[] = [];
  const accounts: string[] = [];

  const testCheckout = (await test.initialize(order, key)).json.data;
  await test.simulate({ reference: testCheckout.reference, sender_name: sender, sender_bank: bank }, key);
  references.push(testCheckout.reference);
  for (const provider of ['paystack', 'korapay'] as const) {
    world.clock.advance(1);
    const { data } = (
      await live.initialize({ ...order, provider }, { 'idempotency-key': `${provider}-${name.length}` })
    ).json;
    await world.pay(provider, data.account_number, 850_075, { senderName: sender, senderBank: bank });
    references.push(data.reference);
  }
  const identity = { bvn: '22212345678', nin: '12345678901' };
  for (const api of [test, live]) {
    const { json } = await api.createAccounts({ ...customer, ...identity, provider: 'korapay' }, key);
    const [account] = json.accounts;
    accounts.push(account.id);
    if (api === live) {
      await world.pay('korapay', account.account_number, 125_050, { senderName: sender, senderBank: bank });
    }
  }
  return { references, accounts, order, key, test, live };
};

/** Opens a stage on which a payer has paid a business in every way. The stage also has payments of others that a careless search would find for this payer. */
export const makePayerWorld = async (world: LiveWorld) => {
  const business = await world.addBusiness(['https://ada.example/hooks'], 'live');
  const other = await world.addBusiness(['https://bola.example/hooks'], 'live');
  const payer = await payEverywhere(world, business, TUNDE);
  await payEverywhere(world, business, NGOZI);
  // The person also pays another business, which was not asked to erase anything.
  const elsewhere = await payEverywhere(world, other, { ...TUNDE, email: TUNDE.email.toLowerCase() });
  for (const job of await world.takeJobs()) {
    const at = world.clock.now();
    const { event } = await world.deps.deliveries.read(job);
    // Store attempts as if the endpoint had answered with the body that it got.
    const response = event?.body ?? null;
    const attempt = { number: 1, at, statusCode: 500, durationMs: 5, error: 'status 500', response };
    await world.deps.deliveries.saveAttempt(job, attempt);
    await world.deps.deliveries.apply(job, { expect: {}, set: { attempt: 1, lastAttempt: { ...attempt, number: 2 } } });
  }
  return { business, other, payer, elsewhere };
};

const sortFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sortFields(field)]),
  );
};

/** Writes an item as text. The emulator returns its attributes in any order. */
export const writeItem = (item: Item): string => JSON.stringify(sortFields(item));
/** Reads all stored text of an item, including encoded parts. */
export const readText = (item: Item): string =>
  writeItem(item) + (typeof item.raw === 'string' ? Buffer.from(item.raw, 'base64').toString('utf8') : '');
export const hasTrace = (item: Item): boolean => TRACES.test(readText(item));
