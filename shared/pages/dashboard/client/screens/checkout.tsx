import type { Checkout as OneCheckout, SimulateCheckoutPaymentRequest } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, Problem, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Copy, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';

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
  const { isBusy, error, run } = useAction();
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
          <button key={words} type="button" disabled={isBusy} onClick={() => void simulate(wish)}>
            {words}
          </button>
        ))}
      </div>
      {error !== undefined && <Problem error={error} />}
    </section>
  );
};

const SECOND_MS = 1_000;
/** So that a checkout with many payments asks for no more than a screen may. */
const MOST_MOMENTS = 10;

const ID_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** When a payment was recorded: its id begins with that, as every ULID does. */
const recordedAt = (id: string): number =>
  [...id.slice('pay_'.length, 'pay_'.length + 10)].reduce((time, letter) => time * 32 + ID_LETTERS.indexOf(letter), 0);

/** When something happened to a checkout: an event has the time of what caused it. */
const momentsOf = ({ payments, expires_at, status }: OneCheckout): number[] => {
  const times = payments.slice(-MOST_MOMENTS).map(({ id }) => recordedAt(id));
  return [...times, ...(status === 'expired' ? [Date.parse(expires_at)] : [])];
};

/** The events of a checkout that were recorded with its payments, newest first. */
const eventsOf = async (place: Place, of: OneCheckout) => {
  const pages = await Promise.all(
    momentsOf(of).map((at) =>
      apiOf(place)
        .events.list({
          since: new Date(at - SECOND_MS).toISOString(),
          until: new Date(at + 60 * SECOND_MS).toISOString(),
          limit: 100,
        })
        .page(),
    ),
  );
  const own = pages
    .flatMap(({ items }) => items)
    .filter(({ data }) => 'reference' in data && data.reference === of.reference);
  const ids = [...new Set(own.map(({ id }) => id))].sort().toReversed();
  return Promise.all(ids.slice(0, MOST_MOMENTS).map((id) => apiOf(place).events.get(id)));
};

/** Whether the merchant's server was told. */
const Told = ({ place, of }: { place: Place; of: OneCheckout }) => {
  const loading = useLoaded(
    `events of ${place.businessId} ${place.mode} ${of.reference} ${of.version}`,
    () => eventsOf(place, of),
    { fresh: true },
  );
  return (
    <>
      <h2>Webhooks</h2>
      <Loaded
        of={loading}
        isEmpty={(all) => all.length === 0}
        empty={
          <p>
            No event yet. <a href={urlOf(place, 'events')}>All events</a>
          </p>
        }
      >
        {(all) => (
          <ul class="plain">
            {all.map((event) => (
              <li key={event.id}>
                <a href={urlOf(place, 'events', event.id)}>{event.type}</a> <Time at={event.timestamp} />{' '}
                {event.deliveries.length === 0
                  ? 'no endpoint was subscribed to it'
                  : event.deliveries.map(({ id, status }) => <Badge key={id} of={status} />)}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};

/** What a state means for the order, where the words alone may not say it. */
const meaningOf = ({ status, amount_to_pay, paid_amount }: OneCheckout): string | undefined => {
  const missing = Math.max(0, kobo(amount_to_pay) - kobo(paid_amount)) / 100;
  if (status === 'underpaid')
    return `${naira(missing)} is missing, so the order is not paid. The payer can send the rest.`;
  if (status === 'expired') return 'Nothing was accepted in time. Money that comes now is rejected and goes back.';
  if (status === 'paid' && kobo(paid_amount) > kobo(amount_to_pay)) {
    return `Paid, with ${naira((kobo(paid_amount) - kobo(amount_to_pay)) / 100)} too much.`;
  }
  return undefined;
};

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
              <dd>{naira(one.paid_amount)}</dd>
              <dt>Payer</dt>
              <dd>{one.payer_email}</dd>
              <dt>Account</dt>
              <dd>
                {one.account_number ?? '–'} {one.bank_name}
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
              <dd>{one.checkout_url === null ? '–' : <Copy text={one.checkout_url} label="its address" />}</dd>
            </dl>
            {mayChange && place.mode === 'test' && <Simulator place={place} of={one} onDone={loading.reload} />}
            <h2>Payments</h2>
            {one.payments.length === 0 ? (
              <p class="quiet">Nothing was paid yet.</p>
            ) : (
              <ul class="plain">
                {one.payments.map((payment) => (
                  <li key={payment.id}>
                    <strong>{naira(payment.amount)}</strong> <Badge of={payment.outcome} /> from{' '}
                    {payment.sender_name ?? 'an unnamed sender'}, <Time at={payment.paid_at} />{' '}
                    <code class="quiet">{payment.id}</code>
                  </li>
                ))}
              </ul>
            )}
            <Told place={place} of={one} />
          </>
        )}
      </Loaded>
    </>
  );
};
