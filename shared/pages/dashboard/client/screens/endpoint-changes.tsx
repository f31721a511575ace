import { useState } from 'preact/hooks';
import type { WebhookEndpoint, WebhookEndpointWithHealth, WebhookEndpointWithSecret } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton, Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { describeAnswer, hasArrived } from '#shared/pages/dashboard/client/parts/deliveries.tsx';
import { showSecret } from '#shared/pages/dashboard/client/parts/secret.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { DEFAULT_GRACE, LONGEST_GRACE } from '#shared/platform/kernel/grace.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { EVENT_TYPES } from '#shared/webhooks/domain/event-types.ts';

/* Forms that change a webhook endpoint. */

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
/** Seconds to wait for the answer to a test: the server may take 15, and the queue some more. */
const TEST_ANSWER_SECONDS = 20;
const MISSED_PERIODS: readonly (readonly [number, string])[] = [
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

/** Shows an endpoint's new signing secret. `until` is the time when the older one ends; null if there is none. */
export const showSigningSecret = ({ url, secret }: WebhookEndpointWithSecret, until: string | null): void =>
  showSecret({
    text: secret,
    title: `The signing secret of ${url}`,
    advice: `Your server checks each webhook’s signature with it. ${
      until === null
        ? 'Store it there, then send a test.'
        : `The old secret signs too until ${new Date(until).toLocaleString('en-GB', { timeZone: 'Africa/Lagos' })} in Lagos, so no webhook is lost. Store the new one on your server by then, and send a test.`
    }`,
  });

/** Makes a new signing secret. */
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
          Two secrets sign now, the older one until <Time at={until} />. A new secret ends the older one at once. If
          your server still uses the older one, it rejects every webhook until it has the new one.
        </p>
      )}
      <Field label="Keep the present secret" name="grace_seconds" formId={endpoint.id}>
        {(control) => (
          <select {...control} value={grace} onChange={({ currentTarget }) => setGrace(Number(currentTarget.value))}>
            <option value={0}>no: it leaked</option>
            <option value={DEFAULT_GRACE / SECOND}>for a day</option>
            <option value={LONGEST_GRACE / SECOND}>for seven days</option>
          </select>
        )}
      </Field>
      {grace === 0 && (
        <p class="warning">
          Your server rejects every webhook until it has the new secret. We send the rejected webhooks again later.
        </p>
      )}
    </Form>
  );
};

/** Sends missed events again. */
export const Recover = ({ place, endpoint, onDone }: ChangeProps) => (
  <Form
    submit="Send missed events"
    onSubmit={async (fields) => {
      const since = new Date(Date.now() - Number(fields.get('hours')) * HOUR_MS).toISOString();
      const { recovered, more } = await createClient(place).webhookEndpoints.recover(endpoint.id, { since });
      onDone();
      if (recovered === 0) return <p>Your server missed no event in that time.</p>;
      return (
        <p>
          {recovered} {recovered === 1 ? 'event is' : 'events are'} being sent, slowly at first.
          {more && ' There are more. Send them when these have arrived.'}
        </p>
      );
    }}
  >
    <Field
      label="Events missed in"
      name="hours"
      formId={endpoint.id}
      hint="Events that your server accepted are not sent again."
    >
      {(control) => (
        <select {...control}>
          {MISSED_PERIODS.map(([hours, words]) => (
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

/** The fields for an endpoint's URL and events. */
export const EndpointFields = ({ id, url, events }: EndpointFieldsProps) => (
  <>
    <Field label="URL" name="url" formId={id} hint="Your server answers each POST with a 2xx within 15 seconds.">
      {(control) => <input {...control} type="url" required defaultValue={url} />}
    </Field>
    <fieldset>
      <legend>Events to send. If you choose none, we send all events.</legend>
      {EVENT_TYPES.map((type) => (
        <label key={type} class="choice">
          <input type="checkbox" name="events" value={type} defaultChecked={events.includes(type)} /> {type}
        </label>
      ))}
    </fieldset>
  </>
);

/** Reads the chosen URL and events. */
export const readEndpointFields = (fields: FormData): Pick<WebhookEndpoint, 'url' | 'events'> => {
  const chosen = fields.getAll('events') as WebhookEndpoint['events'];
  return { url: String(fields.get('url')).trim(), events: chosen.length === 0 ? ['*'] : chosen };
};

/** Changes the URL and the events. */
export const Change = ({ place, endpoint, onDone }: ChangeProps) => (
  <Form
    submit="Save"
    onSubmit={async (fields) => {
      const { url, events } = readEndpointFields(fields);
      // In live mode a new URL needs a passkey, but new events do not: an unchanged URL is not sent.
      await createClient(place).webhookEndpoints.update(endpoint.id, { events, ...(url !== endpoint.url && { url }) });
      onDone();
      return <p>Saved. The change also applies to events that are already on their way.</p>;
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
    <p>We send nothing more there, and cancel the events that still wait.</p>
  </Form>
);

/** Sends a test and waits for the server's answer. */
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
        <Badge state={hasArrived(attempt) ? 'succeeded' : 'failed'} /> Your server’s answer: {describeAnswer(attempt)}.{' '}
        {link}
      </p>
    );
  }
  return <p>The test is on its way. Your server has not answered yet. {link}</p>;
};

/** Shows buttons that switch the endpoint on or off, and send a test. */
export const Buttons = ({ place, endpoint, onDone }: ChangeProps) => (
  <div class="buttons">
    <ActionButton
      label={endpoint.enabled ? 'Switch off' : 'Switch on'}
      work={async () => {
        await createClient(place).webhookEndpoints.update(endpoint.id, { enabled: !endpoint.enabled });
        onDone();
      }}
    />
    {endpoint.enabled && <ActionButton label="Send a test" work={() => sendTest(place, endpoint.id)} />}
  </div>
);
