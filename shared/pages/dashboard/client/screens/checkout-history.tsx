import type { Checkout } from '#shared/client/types.ts';
import { type EventSearch, searchAround, useEvents } from '#shared/pages/dashboard/client/parts/related-events.ts';
import { naira } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Moment, TimeLine } from '#shared/pages/dashboard/client/parts/time-line.tsx';
import { timeOfId } from '#shared/pages/dashboard/client/parts/times.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';

const MINUTE_MS = 60_000;
/** A live checkout expires up to some minutes after its `expires_at`, because its provider is asked first. */
const EXPIRES_WITHIN_MS = 10 * MINUTE_MS;

/** Builds the search for a checkout's events: by their time, or by their type if the checkout does not store their time. */
const toEventSearch = ({ reference, status, payments, created_at: since, expires_at }: Checkout): EventSearch => {
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
      ...payments.map(({ id }) => searchAround(timeOfId(id))),
    ],
    isAbout: ({ data }) => 'payments' in data && data.reference === reference,
  };
};

/** Lists a checkout's moments besides its events. */
const listMoments = (place: Place, { amount, created_at, expires_at, payments, ...rest }: Checkout): Moment[] => [
  { at: created_at, words: `Started, for ${naira(amount)}` },
  ...(['pending', 'underpaid'].includes(rest.status) || Date.parse(expires_at) < Date.now()
    ? [
        {
          at: expires_at,
          words: Date.parse(expires_at) < Date.now() ? 'The time to pay was up' : 'The time to pay ends',
        },
      ]
    : []),
  ...payments.map(({ id, paid_at, amount: paid }) => ({
    at: paid_at,
    words: (
      <>
        <a href={formatUrl(place, 'payments', id)}>{naira(paid)}</a> was paid at the bank
      </>
    ),
  })),
];

/** Shows a checkout's history, and whether the business's server was notified. */
export const History = ({ place, checkout }: { place: Place; checkout: Checkout }) => {
  const key = `${place.businessId} ${place.mode} ${checkout.reference} ${checkout.version}`;
  const events = useEvents(place, key, toEventSearch(checkout));
  return <TimeLine place={place} moments={listMoments(place, checkout)} events={events} />;
};
