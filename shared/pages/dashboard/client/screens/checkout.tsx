import type { Checkout as OneCheckout, SimulateCheckoutPaymentRequest } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { Outcome, useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { missingOf, takesRest } from '#shared/pages/dashboard/client/parts/customer.ts';
import { CustomerMessage } from '#shared/pages/dashboard/client/parts/customer-message.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { kobo } from '#shared/pages/dashboard/client/parts/naira.ts';
import { Badge, Copy, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Moment, TimeLine } from '#shared/pages/dashboard/client/parts/time-line.tsx';
import { timeOfId } from '#shared/pages/dashboard/client/parts/times.ts';
import { around, useTold, type Wanted } from '#shared/pages/dashboard/client/parts/told.ts';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { Actions } from './checkout-actions.tsx';
import { Accounts, OtherAccount } from './checkout-accounts.tsx';

type Wish = Omit<SimulateCheckoutPaymentRequest, 'reference'>;

/** What a bank transfer could cause now, by the words on its button. */
const wishesFor = (one: OneCheckout): readonly (readonly [string, Wish])[] => {
  const due = missingOf(one);
  return [
    ...(due > 0
      ? ([
          ['Pay exactly', {}],
          ['Pay less', { amount: Math.max(0.01, kobo(due / 2) / 100) }],
          ['Pay more', { amount: (kobo(due) + 10_000) / 100 }],
          ['Pay late', { late: true }],
        ] as const)
      : []),
    ...(one.paid_amount > 0 ? ([['Reverse the newest', { outcome: 'reversed' }]] as const) : []),
    ...(one.status === 'pending' ? ([['Fail', { status: 'failed' }]] as const) : []),
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

const MINUTE_MS = 60_000;
/** In live mode a checkout expires some minutes after its time, once its provider was asked. */
const EXPIRES_WITHIN_MS = 10 * MINUTE_MS;

/** The events about a checkout: each is looked for by its time, or by its type where the checkout keeps no time of it. */
const wantedOf = ({ reference, status, payments, created_at: since, expires_at }: OneCheckout): Wanted => {
  const until = new Date(Date.parse(expires_at) + EXPIRES_WITHIN_MS).toISOString();
  const [isReversed, isLate] = [
    payments.some(({ outcome }) => outcome === 'reversed'),
    payments.some(({ late }) => late),
  ];
  return {
    searches: [
      ...(status === 'failed' ? [{ type: 'checkout.failed' as const, since }] : []),
      ...(status === 'expired' || isLate ? [{ type: 'checkout.expired' as const, since, until }] : []),
      ...(isReversed ? [{ type: 'checkout.payment_reversed' as const, since }] : []),
      ...payments.map(({ id }) => around(timeOfId(id))),
    ],
    isAbout: ({ data }) => 'payments' in data && data.reference === reference,
  };
};

/** What happened to a checkout, beside its events. */
const momentsOf = (place: Place, { amount, created_at, expires_at, payments }: OneCheckout): Moment[] => [
  { at: created_at, words: `Started, for ${naira(amount)}` },
  { at: expires_at, words: Date.parse(expires_at) < Date.now() ? 'Its time was up' : 'Its time will be up' },
  ...payments.map(({ id, paid_at, amount: paid }) => ({
    at: paid_at,
    words: (
      <>
        <a href={urlOf(place, 'payments', id)}>{naira(paid)}</a> was paid at the bank
      </>
    ),
  })),
];

/** What a state means for the order, where the words alone may not say it. */
const meaningOf = (one: OneCheckout, { mode }: Place): string | undefined => {
  const { status, amount_to_pay, paid_amount, payments, expires_at } = one;
  const more = kobo(paid_amount) - kobo(amount_to_pay);
  const outcomes = payments.map(({ outcome }) => outcome);
  const isOver = Date.parse(expires_at) < Date.now();
  switch (status) {
    case 'underpaid':
      return `${naira(missingOf(one))} is missing, so the order is not paid.${
        takesRest(mode) && !isOver ? ' The payer can send the rest.' : ''
      }`;
    case 'paid':
      return more > 0 ? `Paid, with ${naira(more / 100)} too much.` : undefined;
    case 'expired':
      return `${isOver ? 'Nothing was paid in time' : 'It was ended before its time'}. Money that the provider keeps counts all the same, however late.`;
    case 'failed':
      return 'It was given up. Money that the provider keeps counts all the same, however late.';
    default:
      if (outcomes.includes('reversed')) return 'Money had arrived, and went back to the sender. The order is not paid.';
      if (outcomes.includes('rejected')) return 'The provider sent a transfer back. The order is not paid.';
      return 'Waiting for the transfer.';
  }
};

interface ShownProps {
  readonly place: Place;
  readonly checkout: OneCheckout;
}

const Paid = ({ place, payments }: { place: Place; payments: OneCheckout['payments'] }) =>
  payments.length === 0 ? (
    <p class="quiet">Nothing was paid yet.</p>
  ) : (
    <ul class="plain">
      {payments.map(({ id, amount, outcome, late, sender_name, sender_bank, paid_at }) => (
        <li key={id}>
          <a href={urlOf(place, 'payments', id)}>{naira(amount)}</a> <Badge of={outcome} /> {late && <Badge of="late" />} from{' '}
          {sender_name ?? 'an unnamed sender'}
          {sender_bank !== null && `, ${sender_bank}`}, <Time at={paid_at} />
        </li>
      ))}
    </ul>
  );

const Facts = ({ place, checkout: one }: ShownProps) => (
  <dl class="facts">
    <dt>Status</dt>
    <dd>
      <Badge of={one.status} /> {meaningOf(one, place)}
    </dd>
    <dt>Order number</dt>
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
    <dt>Expires</dt>
    <dd>
      <Time at={one.expires_at} />
    </dd>
    <dt>Reference</dt>
    <dd>
      <Copy text={one.reference} label="the reference" />
    </dd>
    {one.callback_url !== null && (
      <>
        <dt>Returns to</dt>
        <dd>{one.callback_url}</dd>
      </>
    )}
    {one.metadata !== null && (
      <>
        <dt>Metadata</dt>
        <dd>
          <pre>{JSON.stringify(one.metadata, null, 2)}</pre>
        </dd>
      </>
    )}
  </dl>
);

const Shown = ({ place, checkout, mayChange, onDone }: ShownProps & { mayChange: boolean; onDone: () => void }) => {
  const { businessId, mode } = place;
  const events = useTold(place, `${businessId} ${mode} ${checkout.reference} ${checkout.version}`, wantedOf(checkout));
  return (
    <>
      <CustomerMessage place={place} checkout={checkout} mayChange={mayChange} />
      <Facts place={place} checkout={checkout} />
      <Actions place={place} checkout={checkout} onDone={onDone} mayChange={mayChange} />
      {mayChange && <OtherAccount place={place} checkout={checkout} onDone={onDone} />}
      {mayChange && mode === 'test' && <Simulator place={place} of={checkout} onDone={onDone} />}
      <h2>Payments</h2>
      <Paid place={place} payments={checkout.payments} />
      <TimeLine place={place} moments={momentsOf(place, checkout)} events={events} />
    </>
  );
};

/** One checkout: what was paid on it, what can be done with it, and whether the server of the business was told. */
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
        {(one) => <Shown place={place} checkout={one} mayChange={mayChange} onDone={loading.reload} />}
      </Loaded>
    </>
  );
};
