import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { describeState, Health, LastFailure, loadEndpoints } from '#shared/pages/dashboard/client/parts/endpoints.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { NextStep } from '#shared/pages/dashboard/client/parts/passkey-first.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import {
  Buttons,
  Change,
  type ChangeProps,
  EndpointFields,
  Recover,
  Remove,
  Rotate,
  readEndpointFields,
  showSigningSecret,
} from './endpoint-changes.tsx';

const Endpoint = ({ mayChange, ...change }: ChangeProps & { mayChange: boolean }) => {
  const { endpoint, place } = change;
  return (
    <li class="card">
      <h2>
        <code>{endpoint.url}</code> <Badge state={describeState(endpoint)} />
      </h2>
      <p>
        <Health endpoint={endpoint} />{' '}
        <a href={formatUrl(place, 'webhooks', endpoint.id)}>Events that have not arrived</a>
      </p>
      <LastFailure place={place} endpoint={endpoint} />
      <p class="quiet">
        {endpoint.events.includes('*') ? 'Every event' : endpoint.events.join(', ')}; created{' '}
        <Time at={endpoint.created_at} />; <code>{endpoint.id}</code>
        {endpoint.previous_secret_until !== null && (
          <>
            ; two secrets sign until <Time at={endpoint.previous_secret_until} />
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
              <summary>Send missed events</summary>
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

/** The screen of the webhook endpoints. */
export const Webhooks = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const loading = useLoaded(`webhooks ${place.businessId} ${place.mode}`, () => loadEndpoints(place), { fresh: true });
  return (
    <>
      <h1>Webhooks</h1>
      <Loaded
        loading={loading}
        isEmpty={(all) => all.length === 0}
        empty={
          <p>
            No endpoint yet: your server is not notified when money lands.{' '}
            <NextStep place={place} mayChange={mayChange} to="to create a live endpoint">
              Create one below.
            </NextStep>
          </p>
        }
      >
        {(all) => (
          <ul class="plain">
            {all.map((endpoint) => (
              <Endpoint
                key={endpoint.id}
                place={place}
                endpoint={endpoint}
                onDone={loading.reload}
                mayChange={mayChange}
              />
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
              showSigningSecret(await createClient(place).webhookEndpoints.create(readEndpointFields(fields)), null);
              loading.reload();
            }}
          >
            <EndpointFields id="new" url="" events={[]} />
          </Form>
        </section>
      )}
    </>
  );
};
