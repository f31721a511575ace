import { useState } from 'preact/hooks';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form, useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, Problem, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Copy, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';

const HOUR_SECONDS = 3_600;
const HOUR_MS = 3_600_000;
const OUTAGES: readonly (readonly [number, string])[] = [
  [1, 'the last hour'],
  [24, 'the last day'],
  [72, 'the last three days'],
];

interface ChangeProps {
  readonly place: Place;
  readonly of: WebhookEndpoint;
  readonly onDone: (made?: WebhookEndpointWithSecret) => void;
}

/** A secret in clear text, until somebody says that it is stored. */
const Shown = ({ of, onStored }: { of: WebhookEndpointWithSecret; onStored: () => void }) => (
  <section class="card strong" role="status">
    <h2>
      The secret of <code>{of.url}</code>
    </h2>
    <p>
      <strong>It is shown this once.</strong> Your server checks each webhook’s signature with it.
    </p>
    <p>
      <Copy text={of.secret} label="the secret" />
    </p>
    <button type="button" class="primary" onClick={onStored}>
      I have stored it
    </button>
  </section>
);

const Rotate = ({ place, of, onDone }: ChangeProps) => (
  <Form
    submit="Give it a new secret"
    onSubmit={async (fields) =>
      onDone(await apiOf(place).webhookEndpoints.rotateSecret(of.id, { grace_seconds: Number(fields.get('grace')) }))
    }
  >
    <Field
      label="The old secret signs as well"
      name={`grace-${of.id}`}
      hint="If you have lost the secret, take this too: a lost one cannot be shown again."
    >
      {(id, hint) => (
        <select id={id} name="grace" aria-describedby={hint}>
          <option value="0">no longer, from now on</option>
          <option value={24 * HOUR_SECONDS} selected>
            for a day
          </option>
          <option value={7 * 24 * HOUR_SECONDS}>for seven days</option>
        </select>
      )}
    </Field>
  </Form>
);

const Recover = ({ place, of, onDone }: ChangeProps) => (
  <Form
    submit="Send it again"
    onSubmit={async (fields) => {
      const since = new Date(Date.now() - Number(fields.get('hours')) * HOUR_MS).toISOString();
      await apiOf(place).webhookEndpoints.recover(of.id, { since });
      onDone();
    }}
  >
    <Field label="Everything that it missed in" name={`hours-${of.id}`} hint="What it has accepted is not sent again.">
      {(id, hint) => (
        <select id={id} name="hours" aria-describedby={hint}>
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

const Buttons = ({ place, of, onDone }: ChangeProps) => {
  const { isBusy, error, run } = useAction();
  const [sent, setSent] = useState<string | undefined>(undefined);
  const { webhookEndpoints } = apiOf(place);
  return (
    <>
      <div class="buttons">
        <button
          type="button"
          disabled={isBusy}
          onClick={() =>
            void run(async () => {
              await webhookEndpoints.update(of.id, { enabled: !of.enabled });
              onDone();
            })
          }
        >
          {of.enabled ? 'Switch off' : 'Switch on'}
        </button>
        {of.enabled && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => void run(async () => setSent((await webhookEndpoints.test(of.id)).id))}
          >
            Send a test
          </button>
        )}
      </div>
      {sent !== undefined && (
        <p role="status">
          Sent. <a href={urlOf(place, 'events', sent)}>See what your server answered</a>
        </p>
      )}
      {error !== undefined && <Problem error={error} />}
    </>
  );
};

const Endpoint = ({ mayChange, ...change }: ChangeProps & { mayChange: boolean }) => {
  const { of, place } = change;
  return (
    <li class="card">
      <h2>
        <code>{of.url}</code> <Badge of={of.enabled ? 'active' : 'disabled'} />
      </h2>
      {of.disabled_reason !== null && <p>{of.disabled_reason}</p>}
      <p class="quiet">
        {of.events.includes('*') ? 'Every event' : of.events.join(', ')}, since <Time at={of.created_at} />.{' '}
        <a href={urlOf(place, 'events', undefined, { delivery_status: 'exhausted' })}>Events that were given up</a>
      </p>
      {mayChange && (
        <>
          <Buttons {...change} />
          <div class="disclosures">
            <details>
              <summary>New secret</summary>
              <Rotate {...change} />
            </details>
            <details>
              <summary>Recover</summary>
              <Recover {...change} />
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
  const [made, setMade] = useState<WebhookEndpointWithSecret | undefined>(undefined);
  const loading = useLoaded(
    `webhooks ${place.businessId} ${place.mode}`,
    async () => (await apiOf(place).webhookEndpoints.list().page()).items,
  );
  const done = (fresh?: WebhookEndpointWithSecret): void => {
    setMade(fresh);
    loading.reload();
  };
  return (
    <>
      <h1>Webhooks</h1>
      {made && <Shown of={made} onStored={() => setMade(undefined)} />}
      <Loaded
        of={loading}
        isEmpty={(all) => all.length === 0}
        empty={<p>No endpoint yet: your server is not notified when money lands.</p>}
      >
        {(all) => (
          <ul class="plain">
            {all.map((one) => (
              <Endpoint key={`${one.id} ${one.enabled}`} place={place} of={one} onDone={done} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </Loaded>
      {mayChange && (
        <section class="card">
          <h2>New endpoint</h2>
          <Form
            submit="Create it"
            onSubmit={async (fields) =>
              done(await apiOf(place).webhookEndpoints.create({ url: String(fields.get('url')).trim() }))
            }
          >
            <Field
              label="Its URL"
              name="url"
              hint="It receives every event. Your server answers with a 2xx within 15 seconds."
            >
              {(id, hint) => <input id={id} name="url" type="url" required aria-describedby={hint} />}
            </Field>
          </Form>
        </section>
      )}
    </>
  );
};
