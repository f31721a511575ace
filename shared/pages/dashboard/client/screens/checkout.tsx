import type { Checkout as OneCheckout } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { acceptsRest, calculateMissing } from '#shared/pages/dashboard/client/parts/customer.ts';
import { CustomerMessage } from '#shared/pages/dashboard/client/parts/customer-message.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { kobo } from '#shared/pages/dashboard/client/parts/naira.ts';
import { Badge, Copy, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { Accounts, OtherAccount } from './checkout-accounts.tsx';
import { Actions } from './checkout-actions.tsx';
import { History } from './checkout-history.tsx';
import { Simulator } from './checkout-simulator.tsx';

/** Describes a paid checkout whose money came late or was too much; undefined for any other paid checkout. `excess` is in kobo. */
const describePaid = (excess: number, isLate: boolean): string | undefined => {
  const tooMuch = excess > 0 ? `, with ${naira(excess / 100)} too much` : '';
  if (isLate) return `Paid, after its time was up${tooMuch}.`;
  return tooMuch === '' ? undefined : `Paid${tooMuch}.`;
};

/** Says what a checkout's state means for the order; undefined if the label alone is clear. */
const describeStatus = (checkout: OneCheckout, { mode }: Place): string | undefined => {
  const { status, amount_to_pay, paid_amount, payments, expires_at } = checkout;
  const excess = kobo(paid_amount) - kobo(amount_to_pay);
  const outcomes = payments.map(({ outcome }) => outcome);
  const isTimeUp = Date.parse(expires_at) < Date.now();
  switch (status) {
    case 'underpaid':
      return `${naira(calculateMissing(checkout))} is missing, so the order is not paid.${
        acceptsRest(mode) && !isTimeUp ? ' The payer can send the rest.' : ''
      }`;
    case 'paid':
      return describePaid(
        excess,
        payments.some(({ late }) => late),
      );
    case 'expired':
      return `${isTimeUp ? 'Nothing was paid in time' : 'It was ended before its time'}. Money that still lands counts, however late.`;
    case 'failed':
      return 'It failed and no longer waits for a transfer. Money that still lands counts, however late.';
    default:
      if (outcomes.includes('reversed'))
        return 'Money had arrived, but it went back to the sender. The order is not paid.';
      if (outcomes.includes('rejected')) return 'The provider sent a transfer back. The order is not paid.';
      return 'Waiting for the transfer.';
  }
};

interface DetailsProps {
  readonly place: Place;
  readonly checkout: OneCheckout;
}

const PaymentList = ({ place, payments }: { place: Place; payments: OneCheckout['payments'] }) =>
  payments.length === 0 ? (
    <p class="quiet">Nothing was paid yet.</p>
  ) : (
    <ul class="plain">
      {payments.map(({ id, amount, outcome, late, sender_name, sender_bank, paid_at }) => (
        <li key={id}>
          <a href={formatUrl(place, 'payments', id)}>{naira(amount)}</a> <Badge state={outcome} />{' '}
          {late && <Badge state="late" />} from {sender_name ?? 'an unnamed sender'}
          {sender_bank !== null && `, ${sender_bank}`}, <Time at={paid_at} />
        </li>
      ))}
    </ul>
  );

const Facts = ({ place, checkout }: DetailsProps) => (
  <dl class="facts">
    <dt>Order number</dt>
    <dd>{checkout.merchant_reference ?? '–'}</dd>
    <dt>Status</dt>
    <dd>
      <Badge state={checkout.status} /> {describeStatus(checkout, place)}
    </dd>
    <dt>Amount</dt>
    <dd>{naira(checkout.amount)}</dd>
    <dt>Paid</dt>
    <dd>
      {naira(checkout.paid_amount)}
      {checkout.paid_at !== null && (
        <>
          , <Time at={checkout.paid_at} />
        </>
      )}
    </dd>
    <dt>Payer</dt>
    <dd>{[checkout.payer_name, checkout.payer_email].filter(Boolean).join(', ')}</dd>
    {checkout.description !== null && (
      <>
        <dt>For</dt>
        <dd>{checkout.description}</dd>
      </>
    )}
    <dt>{checkout.accounts.length > 1 ? 'Accounts' : 'Account'}</dt>
    <dd>
      <Accounts accounts={checkout.accounts} />
    </dd>
    <dt>Expires</dt>
    <dd>
      <Time at={checkout.expires_at} />
    </dd>
    <dt>Reference</dt>
    <dd>
      <Copy text={checkout.reference} label="the reference" />
    </dd>
    {checkout.callback_url !== null && (
      <>
        <dt>Returns to</dt>
        <dd>{checkout.callback_url}</dd>
      </>
    )}
    {checkout.metadata !== null && (
      <>
        <dt>Metadata</dt>
        <dd>
          <pre>{JSON.stringify(checkout.metadata, null, 2)}</pre>
        </dd>
      </>
    )}
  </dl>
);

const Details = ({ place, checkout, mayChange, onDone }: DetailsProps & { mayChange: boolean; onDone: () => void }) => (
  <>
    <CustomerMessage place={place} checkout={checkout} mayChange={mayChange} />
    <Facts place={place} checkout={checkout} />
    <Actions place={place} checkout={checkout} onDone={onDone} mayChange={mayChange} />
    {mayChange && <OtherAccount place={place} checkout={checkout} onDone={onDone} />}
    {mayChange && place.mode === 'test' && <Simulator place={place} checkout={checkout} onDone={onDone} />}
    <h2>Payments</h2>
    <PaymentList place={place} payments={checkout.payments} />
    <History place={place} checkout={checkout} />
  </>
);

/** The screen of a checkout: its payments, its actions, and whether the business's server was notified. */
export const Checkout = ({ place, reference, mayChange }: { place: Place; reference: string; mayChange: boolean }) => {
  const loading = useLoaded(
    `checkout ${place.businessId} ${place.mode} ${reference}`,
    () => createClient(place).checkouts.verify(reference),
    { fresh: true },
  );
  return (
    <>
      <div class="heading">
        <h1>{loading.data ? `Checkout of ${naira(loading.data.amount)}` : 'Checkout'}</h1>
        <a href={formatUrl(place, 'checkouts')}>All checkouts</a>
      </div>
      <Loaded loading={loading}>
        {(checkout) => <Details place={place} checkout={checkout} mayChange={mayChange} onDone={loading.reload} />}
      </Loaded>
    </>
  );
};
