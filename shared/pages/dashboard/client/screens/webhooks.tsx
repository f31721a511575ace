import { useState } from 'preact/hooks';
import type { WebhookEndpoint, WebhookEndpointWithHealth, WebhookEndpointWithSecret } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { Act, Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { answerOf } from '#shared/pages/dashboard/client/parts/deliveries.tsx';
import { Filter, Filters, List } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { showSecret } from '#shared/pages/dashboard/client/parts/secret.tsx';
import { Badge, Copy, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { go, type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { DEFAULT_GRACE, LONGEST_GRACE } from '#shared/platform/kernel/grace.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { EVENT_TYPES } from '#shared/webhooks/domain/event-types.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
/** An answer takes 15 seconds at most, and the queue some more. */
const TEST_ANSWER_SECONDS = 20;
const OUTAGES: readonly (readonly [number, string])[] = [
  [1, 'the last hour'],
  [24, 'the last day'],
  [72, 'the last three days'],
  [30 * 24, 'the last 30 days'],
];

interface ChangeProps {
  readonly place: Place;
  readonly of: WebhookEndpointWithHealth;
  readonly onDone: () => void;
}

/** Every endpoint of the mode with its health. There are at most five. */
export const endpointsOf = async (place: Place): Promise<readonly WebhookEndpointWithHealth[]> => {
  const { webhookEndpoints } = apiOf(place);
  const { items } = await webhookEndpoints.list().page();
  return Promise.all(items.map(({ id }) => webhookEndpoints.get(id)));
};

const stateOf = ({ enabled, health }: WebhookEndpointWithHealth): string => (enabled ? health.status : 'disabled');

/** More are not counted. */
const MOST_COUNTED = 1_000;

/** How much waits for an endpoint. */
const waits = (parked: number): string => {
  if (parked === 0) return 'Events wait';
  const number = parked < MOST_COUNTED ? String(parked) : `${MOST_COUNTED} or more`;
  return parked === 1 ? 'One event waits' : `${number} events wait`;
};

/** How an endpoint is doing, in a sentence. */
export const Health = ({ of }: { of: WebhookEndpointWithHealth }) => {
  const { status, failing_since: since, parked } = of.health;
  if (!of.enabled) {
    return (
      <>
        {of.disabled_reason} {waits(parked)} until it is switched on again.
      </>
    );
  }
  if (status === 'healthy') return <>No delivery is failing.</>;
  if (status === 'recovering') return <>It works again, and what waited is being sent.</>;
  return (
    <>
      Nothing has arrived since <Time at={since} />
      {status === 'suspended' ? `. ${waits(parked)}, and one is tried now and then.` : '. Events are tried again.'}
    </>
  );
};

/** An endpoint in a line: its state, where it leads, and how it is doing. */
export const EndpointLine = ({ place, of }: { place: Place; of: WebhookEndpointWithHealth }) => (
  <>
    <Badge of={stateOf(of)} /> <a href={urlOf(place, 'webhooks', of.id)}>{of.url}</a>{' '}
    <span class="quiet">
      <Health of={of} />
    </span>
  </>
);

const shown = ({ url, secret }: WebhookEndpointWithSecret, until: string | null): void =>
  showSecret({
    text: secret,
    title: `The signing secret of ${url}`,
    advice: `Your server checks each webhook’s signature with it. ${
      until === null
        ? 'Store it there, then send a test.'
        : `The old one signs as well until ${new Date(until).toLocaleString('en-GB', { timeZone: 'Africa/Lagos' })} in Lagos, so nothing is lost meanwhile. Store the new one on your server by then, and send a test.`
    }`,
  });

const Rotate = ({ place, of, onDone }: ChangeProps) => {
  const [grace, setGrace] = useState(DEFAULT_GRACE / SECOND);
  const { previous_secret_until: until } = of;
  return (
    <Form
      submit={until === null ? 'Make a new secret' : 'End the older secret, and make a new one'}
      isDanger={until !== null || grace === 0}
      onSubmit={async () => {
        const { webhookEndpoints } = apiOf(place);
        const made = await webhookEndpoints.rotateSecret(of.id, { grace_seconds: grace });
        shown(made, (await webhookEndpoints.get(of.id)).previous_secret_until);
        onDone();
      }}
    >
      <p>A secret that was lost cannot be shown again. Make a new one, and store it on your server.</p>
      {until !== null && (
        <p class="warning">
          Two secrets sign now, the older one until <Time at={until} />. At most two can: if your server still uses the
          older one, a new secret ends it at once, and your server refuses every webhook until it has the new one.
        </p>
      )}
      <Field label="The present secret signs as well" name="grace_seconds" of={of.id}>
        {(control) => (
          <select {...control} value={grace} onChange={({ currentTarget }) => setGrace(Number(currentTarget.value))}>
            <option value={0}>no longer: it leaked</option>
            <option value={DEFAULT_GRACE / SECOND}>for a day</option>
            <option value={LONGEST_GRACE / SECOND}>for seven days</option>
          </select>
        )}
      </Field>
      {grace === 0 && (
        <p class="warning">
          Your server refuses every webhook until it has the new secret. What it refuses is sent again later.
        </p>
      )}
    </Form>
  );
};

const Recover = ({ place, of, onDone }: ChangeProps) => (
  <Form
    submit="Send what it missed"
    onSubmit={async (fields) => {
      const since = new Date(Date.now() - Number(fields.get('hours')) * HOUR_MS).toISOString();
      const { recovered, more } = await apiOf(place).webhookEndpoints.recover(of.id, { since });
      onDone();
      if (recovered === 0) return <p>It missed nothing in that time.</p>;
      return (
        <p>
          {recovered} {recovered === 1 ? 'event is' : 'events are'} being sent, slowly at first.
          {more && ' There are more: send them once these have arrived.'}
        </p>
      );
    }}
  >
    <Field label="What it missed in" name="hours" of={of.id} hint="What it has accepted is not sent again.">
      {(control) => (
        <select {...control}>
          {OUTAGES.map(([hours, words]) => (
            <option key={hours} value={hours}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  </Form>
);

interface WhatFieldsProps {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
}

/** Where an endpoint is, and what it receives. */
const WhatFields = ({ id, url, events }: WhatFieldsProps) => (
  <>
    <Field label="URL" name="url" of={id} hint="Your server answers each POST with a 2xx within 15 seconds.">
      {(control) => <input {...control} type="url" required defaultValue={url} />}
    </Field>
    <fieldset>
      <legend>Only these events; all of them where none is chosen</legend>
      {EVENT_TYPES.map((type) => (
        <label key={type} class="choice">
          <input type="checkbox" name="events" value={type} defaultChecked={events.includes(type)} /> {type}
        </label>
      ))}
    </fieldset>
  </>
);

const whatOf = (fields: FormData): Pick<WebhookEndpoint, 'url' | 'events'> => {
  const chosen = fields.getAll('events') as WebhookEndpoint['events'];
  return { url: String(fields.get('url')).trim(), events: chosen.length === 0 ? ['*'] : chosen };
};

const Change = ({ place, of, onDone }: ChangeProps) => (
  <Form
    submit="Save"
    onSubmit={async (fields) => {
      const { url, events } = whatOf(fields);
      // In live mode another URL takes a passkey, and other events do not.
      await apiOf(place).webhookEndpoints.update(of.id, { events, ...(url !== of.url && { url }) });
      onDone();
      return <p>Saved. It holds for what is on its way, too.</p>;
    }}
  >
    <WhatFields id={of.id} url={of.url} events={of.events} />
  </Form>
);

const Remove = ({ place, of, onDone }: ChangeProps) => (
  <Form
    submit="Delete it"
    isDanger
    onSubmit={async () => {
      await apiOf(place).webhookEndpoints.delete(of.id);
      onDone();
    }}
  >
    <p>Nothing more is sent there, and what still waits is cancelled.</p>
  </Form>
);

/** Sends a test and waits for what the server answers. */
const sendTest = async (place: Place, endpointId: string) => {
  const api = apiOf(place);
  const { id } = await api.webhookEndpoints.test(endpointId);
  const link = <a href={urlOf(place, 'events', id)}>Details</a>;
  for (let waited = 0; waited < TEST_ANSWER_SECONDS; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    const attempt = (await api.events.get(id)).deliveries[0]?.attempts[0];
    if (!attempt) continue;
    const isGood = attempt.status_code !== null && attempt.status_code >= 200 && attempt.status_code < 300;
    return (
      <p>
        <Badge of={isGood ? 'succeeded' : 'failed'} /> Your server’s answer: {answerOf(attempt)}. {link}
      </p>
    );
  }
  return <p>It is on its way, and your server has not answered yet. {link}</p>;
};

const Buttons = ({ place, of, onDone }: ChangeProps) => (
  <div class="buttons">
    <Act
      label={of.enabled ? 'Switch off' : 'Switch on'}
      work={async () => {
        await apiOf(place).webhookEndpoints.update(of.id, { enabled: !of.enabled });
        onDone();
      }}
    />
    {of.enabled && <Act label="Send a test" work={() => sendTest(place, of.id)} />}
  </div>
);

const Endpoint = ({ mayChange, ...change }: ChangeProps & { mayChange: boolean }) => {
  const { of, place } = change;
  return (
    <li class="card">
      <h2>
        <code>{of.url}</code> <Badge of={stateOf(of)} />
      </h2>
      <p>
        <Health of={of} /> <a href={urlOf(place, 'webhooks', of.id)}>What has not arrived</a>
      </p>
      <p class="quiet">
        {of.events.includes('*') ? 'Every event' : of.events.join(', ')}; created <Time at={of.created_at} />;{' '}
        <code>{of.id}</code>
        {of.previous_secret_until !== null && (
          <>
            ; two secrets sign until <Time at={of.previous_secret_until} />
          </>
        )}
      </p>
      {mayChange && (
        <>
          <Buttons {...change} />
          <div class="disclosures">
            <details>
              <summary>Signing secret: lost or leaked</summary>
              <Rotate {...change} />
            </details>
            <details>
              <summary>Send what it missed</summary>
              <Recover {...change} />
            </details>
            <details>
              <summary>URL and events</summary>
              <Change {...change} />
            </details>
            <details>
              <summary>Delete</summary>
              <Remove {...change} />
            </details>
          </div>
        </>
      )}
    </li>
  );
};

/** Where webhooks go. */
export const Webhooks = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const loading = useLoaded(`webhooks ${place.businessId} ${place.mode}`, () => endpointsOf(place), { fresh: true });
  return (
    <>
      <h1>Webhooks</h1>
      <Loaded
        of={loading}
        isEmpty={(all) => all.length === 0}
        empty={<p>No endpoint yet: your server is not notified when money lands.</p>}
      >
        {(all) => (
          <ul class="plain">
            {all.map((one) => (
              <Endpoint key={one.id} place={place} of={one} onDone={loading.reload} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </Loaded>
      {mayChange && (
        <section class="card">
          <h2>New endpoint</h2>
          <Form
            submit="Create it"
            onSubmit={async (fields) => {
              shown(await apiOf(place).webhookEndpoints.create(whatOf(fields)), null);
              loading.reload();
            }}
          >
            <WhatFields id="new" url="" events={[]} />
          </Form>
        </section>
      )}
    </>
  );
};

const WAITING = ['parked', 'exhausted'] as const;
const ALWAYS = ['status'] as const;

/** What has not arrived at an endpoint. */
export const EndpointDeliveries = ({ place, id, mayChange }: { place: Place; id: string; mayChange: boolean }) => {
  const { webhookEndpoints } = apiOf(place);
  const status = WAITING.find((one) => one === place.query.get('status'));
  const [version, setVersion] = useState(0);
  const endpoint = useLoaded(`endpoint ${place.businessId} ${place.mode} ${id}`, () => webhookEndpoints.get(id), {
    fresh: true,
  });
  if (status === undefined) {
    go(urlOf(place, 'webhooks', id, { status: 'parked' }), { replace: true });
    return null;
  }
  const done = (): void => {
    endpoint.reload();
    setVersion(version + 1);
  };
  return (
    <>
      <h1>What has not arrived</h1>
      <p>
        <a href={urlOf(place, 'webhooks')}>All endpoints</a>
      </p>
      <Loaded of={endpoint}>
        {(one) => (
          <section class="card">
            <p>
              <Badge of={stateOf(one)} /> <code>{one.url}</code> <Health of={one} />
            </p>
            <p class="quiet">
              <Copy text={one.id} label="its id" />
            </p>
            {mayChange && <Recover place={place} of={one} onDone={done} />}
          </section>
        )}
      </Loaded>
      <Filters place={place} always={ALWAYS}>
        <Filter place={place} name="status" label="Deliveries" options={WAITING} isRequired />
      </Filters>
      <p class="quiet">
        {status === 'parked'
          ? 'Parked: they wait until your server works again, or the endpoint is switched on.'
          : 'Exhausted: they were given up after 72 hours of attempts, and are sent again by hand.'}
      </p>
      <List
        place={place}
        always={ALWAYS}
        name={`deliveries ${id} ${status}`}
        version={version}
        load={async (cursor) => {
          const { items, nextCursor } = await webhookEndpoints.deliveries(id, { status, cursor }).page();
          return { items, next: nextCursor };
        }}
        keyOf={(one) => one.id}
        empty={<p>{status === 'parked' ? 'Nothing waits here.' : 'Nothing was given up.'}</p>}
        columns={[
          {
            title: 'Event',
            onPhone: 'title',
            cell: ({ event_id, event_type }) => <a href={urlOf(place, 'events', event_id)}>{event_type}</a>,
          },
          { title: 'Attempts', isNumber: true, onPhone: 'named', cell: ({ attempts }) => attempts },
          {
            title: 'Last one',
            isTime: true,
            onPhone: 'named',
            cell: ({ last_attempt }) => <Time at={last_attempt?.at ?? null} />,
          },
          { title: 'Your server’s answer', cell: ({ last_attempt }) => (last_attempt ? answerOf(last_attempt) : '–') },
        ]}
      />
    </>
  );
};
