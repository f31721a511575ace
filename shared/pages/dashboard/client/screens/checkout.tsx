import type { ListEventsQuery, Checkout as OneCheckout, SimulateCheckoutPaymentRequest } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { Outcome, useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { DeliveryLine, useEndpointUrls } from '#shared/pages/dashboard/client/parts/deliveries.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Copy, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { timeOfId } from '#shared/pages/dashboard/client/parts/times.ts';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { Accounts, OtherAccount } from './checkout-accounts.tsx';

type Wish = Omit<SimulateCheckoutPaymentRequest, 'reference'>;

const kobo = (amount: number): number => Math.round(amount * 100);

/** What a bank transfer could cause now, by the words on its button. */
const wishesFor = ({ amount_to_pay, paid_amount, status }: OneCheckout): readonly (readonly [string, Wish])[] => {
  const due = Math.max(0, kobo(amount_to_pay) - kobo(paid_amount)) / 100;
  return [
    ...(due > 0
      ? ([
          ['Pay exactly', {}],
          ['Pay less', { amount: Math.max(0.01, kobo(due / 2) / 100) }],
          ['Pay more', { amount: (kobo(due) + 10_000) / 100 }],
          ['Pay late', { late: true }],
        ] as const)
      : []),
    ...(paid_amount > 0 ? ([['Reverse the newest', { outcome: 'reversed' }]] as const) : []),
    ...(status === 'pending' ? ([['Fail', { status: 'failed' }]] as const) : []),
  ];
};

const Simulator = ({ place, of, onDone }: { place: Place; of: OneCheckout; onDone: () => void }) => {
  const { isBusy, error, done, run } = useAction();
  const simulate = (wish: Wish) =>
    run(async () => {
      await apiOf(place).checkouts.simulate({ reference: of.reference, ...wish });
      onDone();
    });
  return (
    <section class="card">
      <h2>Simulate</h2>
      <div class="buttons">
        {wishesFor(of).map(([words, wish]) => (
          <button key={words} type="button" aria-disabled={isBusy} onClick={() => void simulate(wish)}>
            {words}
          </button>
        ))}
      </div>
      <Outcome error={error} done={done} />
    </section>
  );
};

const SECOND_MS = 1_000;
/** So that a checkout with many payments asks for no more than a screen may. */
const MOST_MOMENTS = 10;

/** When something happened to a checkout: an event has the time of what caused it, and a payment's id that of its record. */
const momentsOf = ({ payments, expires_at }: OneCheckout): number[] => {
  const expiry = Date.parse(expires_at);
  const times = payments.slice(0, MOST_MOMENTS).map(({ id }) => timeOfId(id));
  return expiry < Date.now() ? [...times, expiry] : times;
};

/** The events of some times, or of a type, that are about a checkout. */
const eventIdsOf = async (place: Place, { reference }: OneCheckout, query: ListEventsQuery): Promise<string[]> => {
  const { items } = await apiOf(place)
    .events.list({ ...query, limit: 100 })
    .page();
  return items.filter(({ data }) => 'reference' in data && data.reference === reference).map(({ id }) => id);
};

/** What leaves no time in a checkout is looked for by its type. */
const searchesOf = ({ status, payments, created_at: since }: OneCheckout): ListEventsQuery[] => [
  ...(status === 'failed' ? [{ type: 'checkout.failed' as const, since }] : []),
  ...(payments.some(({ outcome }) => outcome === 'reversed')
    ? [{ type: 'checkout.payment_reversed' as const, since }]
    : []),
];

/** The ids of the events of a checkout, newest first. */
const findEvents = async (place: Place, of: OneCheckout): Promise<readonly string[]> => {
  const moments = momentsOf(of).map((at) => ({
    since: new Date(at - SECOND_MS).toISOString(),
    until: new Date(at + 60 * SECOND_MS).toISOString(),
  }));
  const found = await Promise.all([...moments, ...searchesOf(of)].map((query) => eventIdsOf(place, of, query)));
  return [...new Set(found.flat())].sort().toReversed().slice(0, MOST_MOMENTS);
};

/** Whether the merchant's server was told. */
const Told = ({ place, of }: { place: Place; of: OneCheckout }) => {
  const key = `${place.businessId} ${place.mode} ${of.reference} ${of.version}`;
  const ids = useLoaded(`events of ${key}`, () => findEvents(place, of));
  const loading = useLoaded(
    `deliveries of ${key} ${ids.data}`,
    () => Promise.all((ids.data ?? []).map((id) => apiOf(place).events.get(id))),
    { fresh: true },
  );
  const urls = useEndpointUrls(place);
  return (
    <>
      <h2>Webhooks</h2>
      <Loaded of={ids}>
        {() => (
          <Loaded
            of={loading}
            isEmpty={(all) => all.length === 0}
            empty={
              <p>
                No event found. <a href={urlOf(place, 'events')}>All events</a>
              </p>
            }
          >
            {(all) => (
              <ul class="plain">
                {all.map((event) => (
                  <li key={event.id}>
                    <a href={urlOf(place, 'events', event.id)}>{event.type}</a> <Time at={event.timestamp} />
                    {event.deliveries.length === 0 && ': no endpoint was subscribed to it'}
                    {event.deliveries.map((one) => (
                      <div key={one.id}>
                        <DeliveryLine of={one} last={one.attempts.at(-1)} urls={urls.data} />
                      </div>
                    ))}
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
};

/** What a state means for the order, where the words alone may not say it. */
const meaningOf = ({ status, amount_to_pay, paid_amount, payments }: OneCheckout): string | undefined => {
  const missing = Math.max(0, kobo(amount_to_pay) - kobo(paid_amount)) / 100;
  const outcomes = payments.map(({ outcome }) => outcome);
  switch (status) {
    case 'underpaid':
      return `${naira(missing)} is missing, so the order is not paid. The payer can send the rest.`;
    case 'paid':
      return kobo(paid_amount) > kobo(amount_to_pay)
        ? `Paid, with ${naira((kobo(paid_amount) - kobo(amount_to_pay)) / 100)} too much.`
        : undefined;
    case 'expired':
      return 'Nothing was paid in time. Money that the provider keeps counts all the same, however late.';
    case 'failed':
      return 'It was given up. Money that the provider keeps counts all the same, however late.';
    default:
      if (outcomes.includes('reversed')) return 'Money had arrived, and the bank took it back. The order is not paid.';
      if (outcomes.includes('rejected')) return 'The provider sent a transfer back. The order is not paid.';
      return 'Waiting for the transfer.';
  }
};

const Paid = ({ payments }: OneCheckout) =>
  payments.length === 0 ? (
    <p class="quiet">Nothing was paid yet.</p>
  ) : (
    <ul class="plain">
      {payments.map(({ id, amount, outcome, late, sender_name, sender_bank, paid_at }) => (
        <li key={id}>
          <strong>{naira(amount)}</strong> <Badge of={outcome} /> {late && <Badge of="late" />} from{' '}
          {sender_name ?? 'an unnamed sender'}
          {sender_bank !== null && `, ${sender_bank}`}, <Time at={paid_at} /> <code class="quiet">{id}</code>
        </li>
      ))}
    </ul>
  );

/** One checkout, with what was paid on it, and whether the merchant's server was told. */
export const Checkout = ({ place, reference, mayChange }: { place: Place; reference: string; mayChange: boolean }) => {
  const loading = useLoaded(
    `checkout ${place.businessId} ${place.mode} ${reference}`,
    () => apiOf(place).checkouts.verify(reference),
    { fresh: true },
  );
  return (
    <>
      <h1>Checkout</h1>
      <Loaded of={loading}>
        {(one) => (
          <>
            <dl class="facts">
              <dt>Status</dt>
              <dd>
                <Badge of={one.status} /> {meaningOf(one)}
              </dd>
              <dt>Reference</dt>
              <dd>
                <Copy text={one.reference} label="the reference" />
              </dd>
              <dt>Your reference</dt>
              <dd>{one.merchant_reference ?? '–'}</dd>
              <dt>Amount</dt>
              <dd>{naira(one.amount)}</dd>
              <dt>Paid</dt>
              <dd>
                {naira(one.paid_amount)}
                {one.paid_at !== null && (
                  <>
                    , <Time at={one.paid_at} />
                  </>
                )}
              </dd>
              <dt>Payer</dt>
              <dd>
                {one.payer_name} {one.payer_email}
              </dd>
              {one.description !== null && (
                <>
                  <dt>For</dt>
                  <dd>{one.description}</dd>
                </>
              )}
              <dt>{one.accounts.length > 1 ? 'Accounts' : 'Account'}</dt>
              <dd>
                <Accounts accounts={one.accounts} />
              </dd>
              <dt>Started</dt>
              <dd>
                <Time at={one.created_at} />
              </dd>
              <dt>Expires</dt>
              <dd>
                <Time at={one.expires_at} />
              </dd>
              <dt>Payment page</dt>
              <dd>
                <Copy text={one.checkout_url} label="its address" />
              </dd>
              {one.metadata !== null && (
                <>
                  <dt>Metadata</dt>
                  <dd>
                    <pre>{JSON.stringify(one.metadata, null, 2)}</pre>
                  </dd>
                </>
              )}
            </dl>
            {mayChange && <OtherAccount place={place} checkout={one} onDone={loading.reload} />}
            {mayChange && place.mode === 'test' && <Simulator place={place} of={one} onDone={loading.reload} />}
            <h2>Payments</h2>
            <Paid {...one} />
            <Told place={place} of={one} />
          </>
        )}
      </Loaded>
    </>
  );
};
