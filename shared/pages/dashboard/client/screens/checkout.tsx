import type { Checkout as OneCheckout } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { missingOf, takesRest } from '#shared/pages/dashboard/client/parts/customer.ts';
import { CustomerMessage } from '#shared/pages/dashboard/client/parts/customer-message.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { kobo } from '#shared/pages/dashboard/client/parts/naira.ts';
import { Badge, Copy, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { Accounts, OtherAccount } from './checkout-accounts.tsx';
import { Actions } from './checkout-actions.tsx';
import { History } from './checkout-history.tsx';
import { Simulator } from './checkout-simulator.tsx';

/** How a checkout was paid, where the word alone does not say it; `more` is in kobo. */
const paidHow = (more: number, isLate: boolean): string | undefined => {
  const much = more > 0 ? `, with ${naira(more / 100)} too much` : '';
  if (isLate) return `Paid, after its time was up${much}.`;
  return much === '' ? undefined : `Paid${much}.`;
};

/** The meaning of a state for the order, where the word alone may not say it. */
const meaningOf = (checkout: OneCheckout, { mode }: Place): string | undefined => {
  const { status, amount_to_pay, paid_amount, payments, expires_at } = checkout;
  const more = kobo(paid_amount) - kobo(amount_to_pay);
  const outcomes = payments.map(({ outcome }) => outcome);
  const isOver = Date.parse(expires_at) < Date.now();
  switch (status) {
    case 'underpaid':
      return `${naira(missingOf(checkout))} is missing, so the order is not paid.${
        takesRest(mode) && !isOver ? ' The payer can send the rest.' : ''
      }`;
    case 'paid':
      return paidHow(
        more,
        payments.some(({ late }) => late),
      );
    case 'expired':
      return `${isOver ? 'Nothing was paid in time' : 'It was ended before its time'}. If money lands all the same, it counts, however late.`;
    case 'failed':
      return 'It failed, and waits for no transfer any more. If money lands all the same, it counts, however late.';
    default:
      if (outcomes.includes('reversed'))
        return 'Money had arrived, and went back to the sender. The order is not paid.';
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
          <a href={urlOf(place, 'payments', id)}>{naira(amount)}</a> <Badge of={outcome} />{' '}
          {late && <Badge of="late" />} from {sender_name ?? 'an unnamed sender'}
          {sender_bank !== null && `, ${sender_bank}`}, <Time at={paid_at} />
        </li>
      ))}
    </ul>
  );

const Facts = ({ place, checkout: one }: ShownProps) => (
  <dl class="facts">
    <dt>Order number</dt>
    <dd>{one.merchant_reference ?? '–'}</dd>
    <dt>Status</dt>
    <dd>
      <Badge of={one.status} /> {meaningOf(one, place)}
    </dd>
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
    <dd>{[one.payer_name, one.payer_email].filter(Boolean).join(', ')}</dd>
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

const Shown = ({ place, checkout, mayChange, onDone }: ShownProps & { mayChange: boolean; onDone: () => void }) => (
  <>
    <CustomerMessage place={place} checkout={checkout} mayChange={mayChange} />
    <Facts place={place} checkout={checkout} />
    <Actions place={place} checkout={checkout} onDone={onDone} mayChange={mayChange} />
    {mayChange && <OtherAccount place={place} checkout={checkout} onDone={onDone} />}
    {mayChange && place.mode === 'test' && <Simulator place={place} checkout={checkout} onDone={onDone} />}
    <h2>Payments</h2>
    <Paid place={place} payments={checkout.payments} />
    <History place={place} checkout={checkout} />
  </>
);

/** One checkout: what was paid on it, what can be done with it, and whether the server of the business was told. */
export const Checkout = ({ place, reference, mayChange }: { place: Place; reference: string; mayChange: boolean }) => {
  const loading = useLoaded(
    `checkout ${place.businessId} ${place.mode} ${reference}`,
    () => apiOf(place).checkouts.verify(reference),
    { fresh: true },
  );
  return (
    <>
      <div class="heading">
        <h1>{loading.data ? `Checkout of ${naira(loading.data.amount)}` : 'Checkout'}</h1>
        <a href={urlOf(place, 'checkouts')}>All checkouts</a>
      </div>
      <Loaded of={loading}>
        {(checkout) => <Shown place={place} checkout={checkout} mayChange={mayChange} onDone={loading.reload} />}
      </Loaded>
    </>
  );
};
