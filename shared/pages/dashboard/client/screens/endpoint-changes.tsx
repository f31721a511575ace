import { useState } from 'preact/hooks';
import type { WebhookEndpoint, WebhookEndpointWithHealth, WebhookEndpointWithSecret } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Act, Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { describeAnswer, isArrival } from '#shared/pages/dashboard/client/parts/deliveries.tsx';
import { showSecret } from '#shared/pages/dashboard/client/parts/secret.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { DEFAULT_GRACE, LONGEST_GRACE } from '#shared/platform/kernel/grace.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { EVENT_TYPES } from '#shared/webhooks/domain/event-types.ts';

/* The changes that somebody makes to an endpoint. */

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

/** The endpoint to change. */
export interface ChangeProps {
  readonly place: Place;
  readonly endpoint: WebhookEndpointWithHealth;
  readonly onDone: () => void;
}

/** Shows the signing secret that was made for an endpoint. `until`: when the one before it ends. */
export const showSigningSecret = ({ url, secret }: WebhookEndpointWithSecret, until: string | null): void =>
  showSecret({
    text: secret,
    title: `The signing secret of ${url}`,
    advice: `Your server checks each webhook’s signature with it. ${
      until === null
        ? 'Store it there, then send a test.'
        : `The old one signs as well until ${new Date(until).toLocaleString('en-GB', { timeZone: 'Africa/Lagos' })} in Lagos, so nothing is lost meanwhile. Store the new one on your server by then, and send a test.`
    }`,
  });

/** A new signing secret. */
export const Rotate = ({ place, endpoint, onDone }: ChangeProps) => {
  const [grace, setGrace] = useState(DEFAULT_GRACE / SECOND);
  const { previous_secret_until: until } = endpoint;
  return (
    <Form
      submit={until === null ? 'Make a new secret' : 'End the older secret, and make a new one'}
      isDanger={until !== null || grace === 0}
      onSubmit={async () => {
        const { webhookEndpoints } = createClient(place);
        const endpointWithSecret = await webhookEndpoints.rotateSecret(endpoint.id, { grace_seconds: grace });
        showSigningSecret(endpointWithSecret, (await webhookEndpoints.get(endpoint.id)).previous_secret_until);
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
      <Field label="The present secret signs as well" name="grace_seconds" formId={endpoint.id}>
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

/** Sends missed events again. */
export const Recover = ({ place, endpoint, onDone }: ChangeProps) => (
  <Form
    submit="Send what it missed"
    onSubmit={async (fields) => {
      const since = new Date(Date.now() - Number(fields.get('hours')) * HOUR_MS).toISOString();
      const { recovered, more } = await createClient(place).webhookEndpoints.recover(endpoint.id, { since });
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
    <Field label="What it missed in" name="hours" formId={endpoint.id} hint="What it has accepted is not sent again.">
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

interface EndpointFieldsProps {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
}

/** Where an endpoint is, and what it receives. */
export const EndpointFields = ({ id, url, events }: EndpointFieldsProps) => (
  <>
    <Field label="URL" name="url" formId={id} hint="Your server answers each POST with a 2xx within 15 seconds.">
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

/** The URL and events that somebody chose. */
export const readEndpointFields = (fields: FormData): Pick<WebhookEndpoint, 'url' | 'events'> => {
  const chosen = fields.getAll('events') as WebhookEndpoint['events'];
  return { url: String(fields.get('url')).trim(), events: chosen.length === 0 ? ['*'] : chosen };
};

/** Another URL, or other events. */
export const Change = ({ place, endpoint, onDone }: ChangeProps) => (
  <Form
    submit="Save"
    onSubmit={async (fields) => {
      const { url, events } = readEndpointFields(fields);
      // In live mode another URL takes a passkey, and other events do not.
      await createClient(place).webhookEndpoints.update(endpoint.id, { events, ...(url !== endpoint.url && { url }) });
      onDone();
      return <p>Saved. It holds for what is on its way, too.</p>;
    }}
  >
    <EndpointFields id={endpoint.id} url={endpoint.url} events={endpoint.events} />
  </Form>
);

/** Deletes the endpoint. */
export const Remove = ({ place, endpoint, onDone }: ChangeProps) => (
  <Form
    submit="Delete it"
    isDanger
    onSubmit={async () => {
      await createClient(place).webhookEndpoints.delete(endpoint.id);
      onDone();
    }}
  >
    <p>Nothing more is sent there, and what still waits is cancelled.</p>
  </Form>
);

/** Sends a test and waits for what the server answers. */
const sendTest = async (place: Place, endpointId: string) => {
  const api = createClient(place);
  const { id } = await api.webhookEndpoints.test(endpointId);
  const link = <a href={formatUrl(place, 'events', id)}>Details</a>;
  for (let waited = 0; waited < TEST_ANSWER_SECONDS; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    const attempt = (await api.events.get(id)).deliveries[0]?.attempts[0];
    if (!attempt) continue;
    return (
      <p>
        <Badge state={isArrival(attempt) ? 'succeeded' : 'failed'} /> Your server’s answer: {describeAnswer(attempt)}.{' '}
        {link}
      </p>
    );
  }
  return <p>It is on its way, and your server has not answered yet. {link}</p>;
};

/** Switches it on or off, and sends a test. */
export const Buttons = ({ place, endpoint, onDone }: ChangeProps) => (
  <div class="buttons">
    <Act
      label={endpoint.enabled ? 'Switch off' : 'Switch on'}
      work={async () => {
        await createClient(place).webhookEndpoints.update(endpoint.id, { enabled: !endpoint.enabled });
        onDone();
      }}
    />
    {endpoint.enabled && <Act label="Send a test" work={() => sendTest(place, endpoint.id)} />}
  </div>
);
