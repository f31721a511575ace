import type { DailyTotal } from '#shared/client/types.ts';
import { apiOf, me } from '#shared/pages/dashboard/client/api.ts';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { naira } from '#shared/pages/dashboard/client/parts/text.tsx';
import { knowsPasskeys } from '#shared/pages/dashboard/client/passkey.ts';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { Providers } from './providers.tsx';
import { EndpointLine, endpointsOf } from './webhooks.tsx';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Questions for totals and for deliveries count as searches, of which a business has 120 a minute in a mode. */
const SEARCH_EVERY_MS = 60_000;
const LAGOS = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos' });
const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const dayOf = (at: number): string => LAGOS.format(new Date(at));
const kobo = (amount: number): number => Math.round(amount * 100);
const sumOf = (days: readonly DailyTotal[]): number => days.reduce((sum, { amount }) => sum + kobo(amount), 0) / 100;
const countOf = (days: readonly DailyTotal[]): number => days.reduce((sum, { count }) => sum + count, 0);

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;

/** The days as bars, which the table below says in numbers. */
const Bars = ({ days }: { days: readonly DailyTotal[] }) => {
  const most = Math.max(1, ...days.map(({ amount }) => amount));
  const width = WIDTH / days.length;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} class="bars" preserveAspectRatio="none" aria-hidden="true">
      {days.map(({ date, amount }, i) => {
        const height = amount === 0 ? 1 : Math.max(2, (amount / most) * HEIGHT);
        return <rect key={date} x={i * width} y={HEIGHT - height} width={width - GAP} height={height} />;
      })}
    </svg>
  );
};

const dateOf = (day: string): string => SHORT.format(new Date(`${day}T00:00:00Z`));

/** What the bars are drawn to. */
const Scale = ({ days }: { days: readonly DailyTotal[] }) => {
  const highest = days.reduce((most, day) => (day.amount > most.amount ? day : most));
  return (
    <p class="quiet scale">
      <span>{dateOf(days[0]?.date ?? highest.date)}</span>
      {highest.amount > 0 && (
        <span>
          highest: {naira(highest.amount)} on {dateOf(highest.date)}
        </span>
      )}
      <span>today</span>
    </p>
  );
};

/** The businesses whose server has taken a webhook: they are not asked about again. */
const told = new Set<string>();

/** Whether a webhook has arrived at the server of the business. One with more events than are looked through takes no first steps. */
const isTold = async (place: Place): Promise<boolean> => {
  if (told.has(place.businessId)) return true;
  const { items, nextCursor } = await apiOf(place).events.list({ delivery_status: 'succeeded', limit: 1 }).page();
  if (items.length > 0 || nextCursor !== null) told.add(place.businessId);
  return told.has(place.businessId);
};

interface FirstStepsProps {
  readonly place: Place;
  readonly hasEndpoint: boolean;
  readonly hasPayment: boolean;
}

/** What a new business does first, in test mode, until a webhook has arrived at its server. */
const FirstSteps = ({ place, hasEndpoint, hasPayment }: FirstStepsProps) => {
  const { data } = useLoaded(`told ${place.businessId}`, () => isTold(place), {
    fresh: true,
    every: SEARCH_EVERY_MS,
  });
  if (data !== false) return null;
  const step = (isDone: boolean, screen: string, words: string) => (
    <li>{isDone ? `Done: ${words}` : <a href={urlOf(place, screen)}>{words}</a>}</li>
  );
  return (
    <section class="card">
      <h2>First steps</h2>
      <ol>
        {step(hasEndpoint, 'webhooks', 'Create a webhook endpoint, where your server is told of money')}
        {step(hasPayment, 'checkouts', 'Start a test checkout and pay it, without a bank')}
        {step(false, 'events', 'See what your server answers, until a webhook arrives')}
      </ol>
    </section>
  );
};

/** For whoever has no passkey yet. In live mode the bar says it. */
const OfferPasskey = ({ place }: { place: Place }) =>
  place.mode === 'test' && me.value?.passkeys.length === 0 && knowsPasskeys() ? (
    <p class="card">
      You signed in with a code. <a href={urlOf(place, 'account')}>Add a passkey</a> to sign in with your fingerprint,
      your face or a PIN next time, and to change live mode.
    </p>
  ) : null;

const Figure = ({ label, days }: { label: string; days: readonly DailyTotal[] }) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>{naira(sumOf(days))}</dd>
    <dd class="quiet">
      {countOf(days)} {countOf(days) === 1 ? 'payment' : 'payments'}
    </dd>
  </div>
);

/** What landed, and what the business should do next. */
export const Overview = ({ place }: { place: Place }) => {
  const api = apiOf(place);
  const key = `${place.businessId} ${place.mode}`;
  const totals = useLoaded(
    `totals ${key}`,
    () => api.payments.totals({ from: dayOf(Date.now() - (DAYS - 1) * DAY_MS), to: dayOf(Date.now()) }),
    { fresh: true, every: SEARCH_EVERY_MS },
  );
  const endpoints = useLoaded(`endpoints ${key}`, () => endpointsOf(place), { fresh: true });
  return (
    <>
      <h1>Overview</h1>
      <OfferPasskey place={place} />
      {place.mode === 'test' && totals.data && endpoints.data && (
        <FirstSteps place={place} hasEndpoint={endpoints.data.length > 0} hasPayment={countOf(totals.data) > 0} />
      )}
      <Loaded of={totals}>
        {(days) => (
          <>
            <dl class="figures">
              <Figure label="Landed today" days={days.slice(-1)} />
              <Figure label="Landed in 7 days" days={days.slice(-7)} />
              <Figure label={`Landed in ${DAYS} days`} days={days} />
            </dl>
            <Bars days={days} />
            <Scale days={days} />
            <details>
              <summary>Day by day</summary>
              <div class="scrolls">
                <table class="stacks">
                  <thead>
                    <tr>
                      <th scope="col">Day</th>
                      <th scope="col" class="number">
                        Payments
                      </th>
                      <th scope="col" class="number">
                        Landed
                      </th>
                      <th scope="col" class="number">
                        Reversed
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {days.toReversed().map(({ date, count, amount, reversed }) => (
                      <tr key={date}>
                        <th scope="row">{dateOf(date)}</th>
                        <td class="number" data-title="Payments">
                          {count}
                        </td>
                        <td class="number" data-title="Landed">
                          {naira(amount)}
                        </td>
                        <td class="number" data-title="Reversed">
                          {naira(reversed)}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </details>
          </>
        )}
      </Loaded>
      {place.mode === 'live' && <Providers place={place} />}
      <h2>Webhooks</h2>
      <Loaded
        of={endpoints}
        isEmpty={(all) => all.length === 0}
        empty={
          <p>
            No webhook endpoint in {place.mode} mode yet: your server is not notified when money lands.{' '}
            <a href={urlOf(place, 'webhooks')}>Create one</a>.
          </p>
        }
      >
        {(all) => (
          <ul class="plain">
            {all.map((one) => (
              <li key={one.id}>
                <EndpointLine place={place} of={one} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};
