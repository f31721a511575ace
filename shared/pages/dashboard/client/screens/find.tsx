import { useEffect } from 'preact/hooks';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { parseAmount } from '#shared/pages/dashboard/client/parts/naira.ts';
import { formatUrl, go, type Place } from '#shared/pages/dashboard/client/router.ts';

/** The most characters of a sender's name that the API accepts. */
const LONGEST_NAME = 100;

/** Finds the screen of a reference or an id by its form; undefined for any other text. */
const findScreenByShape = (place: Place, text: string): string | undefined => {
  if (/^PAY-/i.test(text)) return formatUrl(place, 'checkouts', text.toUpperCase());
  if (text.startsWith('pay_')) return formatUrl(place, 'payments', text);
  if (text.startsWith('va_')) return formatUrl(place, 'virtual-accounts', text);
  if (text.startsWith('evt_')) return formatUrl(place, 'events', text);
  if (text.startsWith('whe_')) return formatUrl(place, 'webhooks', text);
  return undefined;
};

/** Finds the payments of an amount; undefined if the text is not an amount. */
const findScreenByAmount = (place: Place, text: string): string | undefined => {
  const amount = parseAmount(text);
  return amount === undefined ? undefined : formatUrl(place, 'payments', undefined, { amount });
};

/**
 * Finds the checkout or the checkouts of an order. If no order has this number, finds the payments of this amount; undefined if the text is
 * no amount either.
 */
const findScreenByOrder = async (place: Place, order: string): Promise<string | undefined> => {
  const { items } = await createClient(place).checkouts.list({ merchant_reference: order, limit: 2 }).page();
  const [first, ...more] = items;
  if (!first) return findScreenByAmount(place, order);
  return more.length === 0
    ? formatUrl(place, 'checkouts', first.reference)
    : formatUrl(place, 'checkouts', undefined, { merchant_reference: order });
};

/** Finds the virtual account or the checkouts with an account number. If there are none, finds the checkouts of the order with this number. */
const findScreenByNumber = async (place: Place, number: string): Promise<string | undefined> => {
  const api = createClient(place);
  const query = { account_number: number, limit: 1 };
  const [accounts, checkouts] = await Promise.all([
    api.virtualAccounts.list(query).page(),
    api.checkouts.list(query).page(),
  ]);
  const [account] = accounts.items;
  if (account) return formatUrl(place, 'virtual-accounts', account.id);
  const [checkout] = checkouts.items;
  if (!checkout) return findScreenByOrder(place, number);
  return checkouts.nextCursor === null
    ? formatUrl(place, 'checkouts', checkout.reference)
    : formatUrl(place, 'checkouts', undefined, { account_number: number });
};

/** Finds the payments of a sender; undefined if none of the newest payments that were searched has such a name. */
const findScreenBySender = async (place: Place, name: string): Promise<string | undefined> => {
  if (!/\p{L}/u.test(name) || name.length > LONGEST_NAME) return undefined;
  const { items } = await createClient(place).payments.list({ sender: name, limit: 1 }).page();
  return items.length === 0 ? undefined : formatUrl(place, 'payments', undefined, { sender: name });
};

const findTarget = async (place: Place, text: string): Promise<string | undefined> => {
  if (text === '' || text.includes('@')) return undefined;
  if (/^₦|^NGN|[.,]/i.test(text) && findScreenByAmount(place, text)) return findScreenByAmount(place, text);
  if (/^\d{10}$/.test(text)) return findScreenByNumber(place, text);
  return findScreenByShape(place, text) ?? (await findScreenByOrder(place, text)) ?? findScreenBySender(place, text);
};

/**
 * Lists links to filtered lists: for an e-mail address the person's checkouts, payments and virtual accounts; for any other text the payments of a
 * sender with this name.
 */
const suggestLists = (place: Place, text: string): readonly (readonly [string, string])[] =>
  text.includes('@')
    ? [
        [`Checkouts of ${text}`, formatUrl(place, 'checkouts', undefined, { payer_email: text })],
        [`Payments of ${text}`, formatUrl(place, 'payments', undefined, { payer_email: text })],
        [`Virtual accounts of ${text}`, formatUrl(place, 'virtual-accounts', undefined, { customer_email: text })],
      ]
    : [[`Payments from a sender named ${text}`, formatUrl(place, 'payments', undefined, { sender: text })]];

/** The screen that leads to the result of a search: by reference, id, account number, order number, amount, sender or e-mail address. */
export const Find = ({ place }: { place: Place }) => {
  const text = (place.query.get('q') ?? '').trim();
  const loading = useLoaded(`find ${place.businessId} ${place.mode} ${text}`, async () => ({
    target: await findTarget(place, text),
  }));
  const result = loading.data;
  // The focus moves to the result, also if the result is the list of links below.
  useEffect(() => {
    if (!result) return;
    if (result.target !== undefined) go(result.target, { replace: true });
    document.querySelector('main')?.focus({ preventScroll: true });
  }, [result]);
  return (
    <>
      <h1>Find</h1>
      <Loaded loading={loading}>
        {() => (
          <section class="card">
            {!text.includes('@') && (
              <p>
                No order, reference or account in this mode matches <strong>{text}</strong>. Search in the other mode,
                or open a list:
              </p>
            )}
            <ul class="plain">
              {suggestLists(place, text).map(([words, url]) => (
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
