import type { DailyTotal, WebhookEndpointWithHealth } from '#shared/client/types.ts';
import { createClient, me } from '#shared/pages/dashboard/client/api.ts';
import { Chart, formatDate, formatPaymentCount } from '#shared/pages/dashboard/client/parts/chart.tsx';
import { EndpointLine, loadEndpoints } from '#shared/pages/dashboard/client/parts/endpoints.tsx';
import { Rows } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { kobo } from '#shared/pages/dashboard/client/parts/naira.ts';
import { NextStep } from '#shared/pages/dashboard/client/parts/passkey-first.tsx';
import { Badge, Cut, naira, Ref, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { knowsPasskeys } from '#shared/pages/dashboard/client/passkey.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { Providers } from './providers.tsx';

const DAYS = 30;
const DAY_MS = 86_400_000;
/**
 * Milliseconds between refreshes of the totals, and of the first steps. Each refresh counts as a search, and a business may make 120 searches a
 * minute in each mode.
 */
const SEARCH_EVERY_MS = 60_000;
const LAGOS = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos' });

const formatDay = (at: number): string => LAGOS.format(new Date(at));
const sumAmounts = (days: readonly DailyTotal[]): number =>
  days.reduce((sum, { amount }) => sum + kobo(amount), 0) / 100;
const countPayments = (days: readonly DailyTotal[]): number => days.reduce((sum, { count }) => sum + count, 0);

/** The businesses whose server has accepted a webhook. The dashboard does not ask about them again. */
const reachedBusinesses = new Set<string>();

/**
 * Whether a webhook has arrived at the business's server. The service searches a limited number of events for one answer. If it found no
 * delivered event among them, but there are more events, the function also returns true: a business with so many events needs no first steps.
 */
const hasReceivedWebhook = async (place: Place): Promise<boolean> => {
  if (reachedBusinesses.has(place.businessId)) return true;
  const { items, nextCursor } = await createClient(place)
    .events.list({ delivery_status: 'succeeded', limit: 1 })
    .page();
  if (items.length > 0 || nextCursor !== null) reachedBusinesses.add(place.businessId);
  return reachedBusinesses.has(place.businessId);
};

interface FirstStepsProps {
  readonly place: Place;
  readonly hasEndpoint: boolean;
  readonly hasPayment: boolean;
}

/** Shows the first steps of a new business in test mode, until a webhook has arrived at its server. */
const FirstSteps = ({ place, hasEndpoint, hasPayment }: FirstStepsProps) => {
  const { data } = useLoaded(`first steps ${place.businessId}`, () => hasReceivedWebhook(place), {
    fresh: true,
    every: SEARCH_EVERY_MS,
  });
  if (data !== false) return null;
  const step = (isDone: boolean, screen: string, words: string) => (
    <li>{isDone ? `Done: ${words}` : <a href={formatUrl(place, screen)}>{words}</a>}</li>
  );
  return (
    <section class="card">
      <h2>First steps</h2>
      <ol>
        {step(hasEndpoint, 'webhooks', 'Create a webhook endpoint, so that your server is notified of payments')}
        {step(hasPayment, 'checkouts', 'Start a test checkout and pay it, without a bank transfer')}
        {step(false, 'events', 'See what your server answers to the events, until a webhook arrives')}
      </ol>
    </section>
  );
};

/** Offers a passkey to a member who has none. In live mode the bar at the top of the page offers it. */
const OfferPasskey = ({ place }: { place: Place }) =>
  place.mode === 'test' && me.value?.passkeys.length === 0 && knowsPasskeys() ? (
    <p class="card">
      You signed in with a code. <a href={formatUrl(place, 'account')}>Add a passkey</a>: next time you can sign in with
      your fingerprint, your face or a PIN, and you can make changes in live mode.
    </p>
  ) : null;

interface FigureProps {
  readonly place: Place;
  readonly label: string;
  readonly days: readonly DailyTotal[];
}

/** Shows how much landed on some days, with a link to the payments. */
const Figure = ({ place, label, days }: FigureProps) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>{naira(sumAmounts(days))}</dd>
    <dd>
      <a
        href={formatUrl(place, 'payments', undefined, {
          from: days[0]?.date ?? '',
          to: days.at(-1)?.date ?? '',
          outcome: 'accepted',
        })}
      >
        {formatPaymentCount(countPayments(days))}
      </a>
    </dd>
  </div>
);

const DayByDay = ({ days }: { days: readonly DailyTotal[] }) => (
  <details>
    <summary>Day by day (Lagos)</summary>
    <Rows
      items={days.toReversed()}
      keyOf={({ date }) => date}
      columns={[
        { title: 'Day', isTime: true, onPhone: 'title', cell: ({ date }) => formatDate(date) },
        { title: 'Payments', isNumber: true, onPhone: 'named', cell: ({ count }) => count },
        { title: 'Landed', isNumber: true, onPhone: 'side', cell: ({ amount }) => naira(amount) },
        { title: 'Taken back', isNumber: true, onPhone: 'named', cell: ({ reversed }) => naira(reversed) },
      ]}
    />
  </details>
);

const NEWEST_COUNT = 5;

const NewestPayments = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const newest = useLoaded(
    `newest ${place.businessId} ${place.mode}`,
    async () => (await createClient(place).payments.list({ limit: NEWEST_COUNT }).page()).items,
    { fresh: true },
  );
  return (
    <>
      <div class="heading">
        <h2>Newest payments</h2>
        <a href={formatUrl(place, 'payments')}>All payments</a>
      </div>
      <Loaded
        loading={newest}
        isEmpty={(all) => all.length === 0}
        empty={
          <p>
            {place.mode === 'live' ? 'No live payment yet.' : 'No payment yet.'}{' '}
            <NextStep place={place} mayChange={mayChange} to="to start a live checkout">
              <a href={formatUrl(place, 'checkouts')}>Start a checkout</a>, and send somebody its payment page.
            </NextStep>
          </p>
        }
      >
        {(all) => (
          <Rows
            items={all}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Amount',
                onPhone: 'title',
                cell: ({ id, amount }) => <a href={formatUrl(place, 'payments', id)}>{naira(amount)}</a>,
              },
              { title: 'Outcome', onPhone: 'side', cell: ({ outcome }) => <Badge state={outcome} /> },
              { title: 'From', cell: ({ sender_name }) => <Cut text={sender_name} /> },
              {
                title: 'For',
                cell: ({ merchant_reference, checkout_reference, virtual_account_id }) => (
                  <Ref text={merchant_reference ?? checkout_reference ?? virtual_account_id ?? '–'} />
                ),
              },
              { title: 'Recorded', isTime: true, cell: ({ recorded_at }) => <Time at={recorded_at} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
};

interface EndpointsProps {
  readonly place: Place;
  readonly title: string;
  readonly endpoints: readonly WebhookEndpointWithHealth[];
  readonly isUrgent?: boolean;
}

const Endpoints = ({ place, title, endpoints, isUrgent }: EndpointsProps) =>
  endpoints.length === 0 ? null : (
    <section class={`card ${isUrgent ? 'urgent' : ''}`}>
      <h2>{title}</h2>
      <ul class="plain">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id}>
            <EndpointLine place={place} endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </section>
  );

const isHealthy = ({ enabled, health }: WebhookEndpointWithHealth): boolean => enabled && health.status === 'healthy';

/** The first screen: endpoints with problems, totals, newest payments, and the state of providers and endpoints. */
export const Overview = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const api = createClient(place);
  const key = `${place.businessId} ${place.mode}`;
  const totals = useLoaded(
    `totals ${key}`,
    () => api.payments.totals({ from: formatDay(Date.now() - (DAYS - 1) * DAY_MS), to: formatDay(Date.now()) }),
    { fresh: true, every: SEARCH_EVERY_MS },
  );
  const endpoints = useLoaded(`endpoints ${key}`, () => loadEndpoints(place), { fresh: true });
  const unhealthy = (endpoints.data ?? []).filter((endpoint) => !isHealthy(endpoint));
  return (
    <>
      <h1>Overview</h1>
      <Endpoints place={place} title="Needs your attention" endpoints={unhealthy} isUrgent />
      {place.mode === 'test' && totals.data && endpoints.data && (
        <FirstSteps place={place} hasEndpoint={endpoints.data.length > 0} hasPayment={countPayments(totals.data) > 0} />
      )}
      <Loaded loading={totals}>
        {(days) => (
          <>
            <dl class="figures">
              <Figure place={place} label="Landed today" days={days.slice(-1)} />
              <Figure
                place={place}
                label={`Landed yesterday, ${formatDate(days.at(-2)?.date ?? '')}`}
                days={days.slice(-2, -1)}
              />
              <Figure place={place} label="Landed in 7 days" days={days.slice(-7)} />
              <Figure place={place} label={`Landed in ${DAYS} days`} days={days} />
            </dl>
            <Chart days={days} />
            <DayByDay days={days} />
          </>
        )}
      </Loaded>
      <OfferPasskey place={place} />
      <NewestPayments place={place} mayChange={mayChange} />
      {place.mode === 'live' && <Providers place={place} />}
      <Loaded
        loading={endpoints}
        isEmpty={(all) => all.length === 0}
        empty={
          <p>
            No webhook endpoint in {place.mode} mode yet: your server is not notified when money lands.{' '}
            <NextStep place={place} mayChange={mayChange} to="to create a live endpoint">
              <a href={formatUrl(place, 'webhooks')}>Create one</a>.
            </NextStep>
          </p>
        }
      >
        {(all) => <Endpoints place={place} title="Webhooks" endpoints={all.filter(isHealthy)} />}
      </Loaded>
    </>
  );
};
