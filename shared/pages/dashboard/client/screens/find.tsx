import { useEffect } from 'preact/hooks';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { typedAmount } from '#shared/pages/dashboard/client/parts/naira.ts';
import { go, type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';

/** Characters of a part of a sender's name, as the API takes it. */
const LONGEST_NAME = 100;

/** The screen of what a text names by its shape; undefined for one that names nothing by its shape alone. */
const screenOf = (place: Place, text: string): string | undefined => {
  if (/^PAY-/i.test(text)) return urlOf(place, 'checkouts', text.toUpperCase());
  if (text.startsWith('pay_')) return urlOf(place, 'payments', text);
  if (text.startsWith('va_')) return urlOf(place, 'virtual-accounts', text);
  if (text.startsWith('evt_')) return urlOf(place, 'events', text);
  if (text.startsWith('whe_')) return urlOf(place, 'webhooks', text);
  return undefined;
};

/** Where the payments of an amount are; undefined for a text that is none. */
const screenOfAmount = (place: Place, text: string): string | undefined => {
  const amount = typedAmount(text);
  return amount === undefined ? undefined : urlOf(place, 'payments', undefined, { amount });
};

/** Where the one checkout of an order is, or the list of them. A number that no order has is an amount; other words lead nowhere. */
const screenOfOrder = async (place: Place, order: string): Promise<string | undefined> => {
  const { items } = await apiOf(place).checkouts.list({ merchant_reference: order, limit: 2 }).page();
  const [first, ...more] = items;
  if (!first) return screenOfAmount(place, order);
  return more.length === 0
    ? urlOf(place, 'checkouts', first.reference)
    : urlOf(place, 'checkouts', undefined, { merchant_reference: order });
};

/** Where the virtual account with a number is, or the checkouts that have it; those of an order where nothing has such a number. */
const screenOfNumber = async (place: Place, number: string): Promise<string | undefined> => {
  const api = apiOf(place);
  const query = { account_number: number, limit: 1 };
  const [accounts, checkouts] = await Promise.all([
    api.virtualAccounts.list(query).page(),
    api.checkouts.list(query).page(),
  ]);
  const [account] = accounts.items;
  if (account) return urlOf(place, 'virtual-accounts', account.id);
  const [checkout] = checkouts.items;
  if (!checkout) return screenOfOrder(place, number);
  return checkouts.nextCursor === null
    ? urlOf(place, 'checkouts', checkout.reference)
    : urlOf(place, 'checkouts', undefined, { account_number: number });
};

/** Where the payments of a sender are; undefined where the newest that were looked through have none of such a name. */
const screenOfSender = async (place: Place, name: string): Promise<string | undefined> => {
  if (!/\p{L}/u.test(name) || name.length > LONGEST_NAME) return undefined;
  const { items } = await apiOf(place).payments.list({ sender: name, limit: 1 }).page();
  return items.length === 0 ? undefined : urlOf(place, 'payments', undefined, { sender: name });
};

const targetOf = async (place: Place, text: string): Promise<string | undefined> => {
  if (text === '' || text.includes('@')) return undefined;
  if (/^₦|^NGN|[.,]/i.test(text) && screenOfAmount(place, text)) return screenOfAmount(place, text);
  if (/^\d{10}$/.test(text)) return screenOfNumber(place, text);
  return screenOf(place, text) ?? (await screenOfOrder(place, text)) ?? screenOfSender(place, text);
};

/** The lists that may hold what a text names: of an e-mail address those of the person, of other words those of a sender. */
const listsFor = (place: Place, text: string): readonly (readonly [string, string])[] =>
  text.includes('@')
    ? [
        [`Checkouts of ${text}`, urlOf(place, 'checkouts', undefined, { payer_email: text })],
        [`Payments of ${text}`, urlOf(place, 'payments', undefined, { payer_email: text })],
        [`Virtual accounts of ${text}`, urlOf(place, 'virtual-accounts', undefined, { customer_email: text })],
      ]
    : [[`Payments from a sender named ${text}`, urlOf(place, 'payments', undefined, { sender: text })]];

/** Leads to what somebody looks for: a reference, an id, an account number, an order number, an amount, or what a person paid. */
export const Find = ({ place }: { place: Place }) => {
  const text = (place.query.get('q') ?? '').trim();
  const loading = useLoaded(`find ${place.businessId} ${place.mode} ${text}`, async () => ({
    target: await targetOf(place, text),
  }));
  const found = loading.data;
  // The keyboard is brought to what was found, also to the lists below.
  useEffect(() => {
    if (!found) return;
    if (found.target !== undefined) go(found.target, { replace: true });
    document.querySelector('main')?.focus({ preventScroll: true });
  }, [found]);
  return (
    <>
      <h1>Find</h1>
      <Loaded of={loading}>
        {() => (
          <section class="card">
            {!text.includes('@') && (
              <p>
                No order, reference or account here is <strong>{text}</strong>. Look in the other mode, or in a list:
              </p>
            )}
            <ul class="plain">
              {listsFor(place, text).map(([words, url]) => (
                <li key={url}>
                  <a href={url}>{words}</a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Loaded>
    </>
  );
};
