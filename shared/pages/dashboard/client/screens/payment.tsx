import type { Checkout, ListEventsQuery, RecordedPayment, VirtualAccount } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { CustomerMessage } from '#shared/pages/dashboard/client/parts/customer-message.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { kobo } from '#shared/pages/dashboard/client/parts/naira.ts';
import { type EventSearch, searchAround, useEvents } from '#shared/pages/dashboard/client/parts/related-events.ts';
import { Badge, Copy, humanize, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Moment, TimeLine } from '#shared/pages/dashboard/client/parts/time-line.tsx';
import { timeOfId } from '#shared/pages/dashboard/client/parts/times.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';

/**
 * The event of a payment is searched up to this many seconds after the time in the payment's id. A payment and its event are recorded together, so
 * few seconds are enough.
 */
const EVENT_SECONDS = 5;

/** Builds the search for a payment's events: the event of its landing and, if it was returned, the event of its return. */
const toEventSearch = ({
  id,
  outcome,
  recorded_at: since,
  checkout_reference: reference,
}: RecordedPayment): EventSearch => {
  const returned: ListEventsQuery = {
    type: reference === null ? 'virtual_account.payment_reversed' : 'checkout.payment_reversed',
    since,
  };
  return {
    searches: [searchAround(timeOfId(id), EVENT_SECONDS), ...(outcome === 'reversed' ? [returned] : [])],
    isAbout: ({ data }) => {
      if ('payments' in data) return data.reference === reference && data.payments.some((paid) => paid.id === id);
      return 'payment' in data && data.payment.id === id;
    },
  };
};

/** The meaning of each outcome. */
const MEANINGS: Readonly<Record<RecordedPayment['outcome'], string>> = {
  accepted: 'The money landed and counts.',
  rejected: 'The provider sends the money back to the account that it came from. It never counted.',
  reversed: 'The money had landed, but it went back to the sender. It no longer counts.',
};

const listMoments = ({ paid_at, recorded_at, amount, outcome, sender_name, provider }: RecordedPayment): Moment[] => [
  { at: paid_at, words: `${sender_name ?? 'An unnamed sender'} paid ${naira(amount)} at the bank` },
  {
    at: recorded_at,
    words: `Recorded here, as ${humanize(provider)} reported it${outcome === 'rejected' ? ': it was sent back' : ''}`,
  },
];

/** The checkout or the virtual account that a payment is on. */
interface Owner {
  readonly checkout?: Checkout;
  readonly account?: VirtualAccount;
}

const loadOwner = async (place: Place, payment: RecordedPayment): Promise<Owner> => {
  const { checkouts, virtualAccounts } = createClient(place);
  return payment.checkout_reference === null
    ? { account: await virtualAccounts.get(payment.virtual_account_id ?? '') }
    : { checkout: await checkouts.verify(payment.checkout_reference) };
};

/** Shows a link to the checkout or the virtual account, and its payer or customer. */
const OwnerFacts = ({ place, owner: { checkout, account } }: { place: Place; owner: Owner }) => (
  <>
    <dt>For</dt>
    <dd>
      {checkout && (
        <>
          <a href={formatUrl(place, 'checkouts', checkout.reference)}>Checkout {checkout.reference}</a>{' '}
          <Badge state={checkout.status} />
        </>
      )}
      {account && (
        <a href={formatUrl(place, 'virtual-accounts', account.id)}>
          Virtual account {account.account_number ?? account.id}
        </a>
      )}
    </dd>
    {checkout && (
      <>
        <dt>Order number</dt>
        <dd>{checkout.merchant_reference ?? '–'}</dd>
      </>
    )}
    <dt>{checkout ? 'Payer' : 'Customer'}</dt>
    <dd>
      {[checkout?.payer_name, checkout?.payer_email, account?.customer_name, account?.customer_email]
        .filter(Boolean)
        .join(', ')}
    </dd>
  </>
);

const Facts = ({ place, payment, owner }: { place: Place; payment: RecordedPayment; owner: Owner | undefined }) => {
  const { amount, fee, outcome, late } = payment;
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <Badge state={outcome} /> {MEANINGS[outcome]}
      </dd>
      <dt>Amount</dt>
      <dd>{naira(amount)}</dd>
      {outcome === 'accepted' && (
        <>
          <dt>{humanize(payment.provider)}’s fee</dt>
          <dd>
            {naira(fee)}, which leaves {naira((kobo(amount) - kobo(fee)) / 100)}
          </dd>
        </>
      )}
      <dt>Sender</dt>
      <dd>
        {payment.sender_name ?? 'not named by the bank'}
        {payment.sender_bank !== null && `, ${payment.sender_bank}`}
      </dd>
      {owner && <OwnerFacts place={place} owner={owner} />}
      <dt>Paid</dt>
      <dd>
        <Time at={payment.paid_at} /> {late && <Badge state="late" />}
        {late && ' after the checkout had expired. It still counts.'}
      </dd>
      <dt>Recorded</dt>
      <dd>
        <Time at={payment.recorded_at} />
      </dd>
      <dt>Provider’s reference</dt>
      <dd>
        <Copy text={payment.provider_reference} label="the provider’s reference" /> {humanize(payment.provider)}
      </dd>
      <dt>Payment</dt>
      <dd>
        <Copy text={payment.id} label="the payment’s id" />
      </dd>
    </dl>
  );
};

const Details = ({ place, payment, mayChange }: { place: Place; payment: RecordedPayment; mayChange: boolean }) => {
  const key = `${place.businessId} ${place.mode} ${payment.id} ${payment.outcome}`;
  const owner = useLoaded(`owner of ${key}`, () => loadOwner(place, payment), { fresh: true });
  const events = useEvents(place, key, toEventSearch(payment));
  const checkout = owner.data?.checkout;
  return (
    <>
      {checkout && <CustomerMessage place={place} checkout={checkout} mayChange={mayChange} />}
      <Facts place={place} payment={payment} owner={owner.data} />
      <Loaded loading={owner}>{() => null}</Loaded>
      <TimeLine place={place} moments={listMoments(payment)} events={events} />
    </>
  );
};

/** The screen of a payment: its outcome, its checkout or account, and whether the business's server was notified. */
export const Payment = ({ place, id, mayChange }: { place: Place; id: string; mayChange: boolean }) => {
  const loading = useLoaded(
    `payment ${place.businessId} ${place.mode} ${id}`,
    () => createClient(place).payments.get(id),
    {
      fresh: true,
    },
  );
  return (
    <>
      <div class="heading">
        <h1>{loading.data ? `Payment of ${naira(loading.data.amount)}` : 'Payment'}</h1>
        <a href={formatUrl(place, 'payments')}>All payments</a>
      </div>
      <Loaded loading={loading}>
        {(payment) => <Details place={place} payment={payment} mayChange={mayChange} />}
      </Loaded>
    </>
  );
};
