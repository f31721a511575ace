import { useEffect, useState } from 'preact/hooks';
import { forBusiness, type IssuedKey, type Key } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { createFieldError } from '#shared/pages/dashboard/client/parts/fields.ts';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { showSecret } from '#shared/pages/dashboard/client/parts/secret.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { lagosHour } from '#shared/pages/dashboard/client/parts/times.ts';
import type { Place } from '#shared/pages/dashboard/client/router.ts';
import { DEFAULT_GRACE, LONGEST_GRACE } from '#shared/platform/kernel/grace.ts';
import { DAY, HOUR, SECOND } from '#shared/platform/kernel/time.ts';

const GRACES: readonly (readonly [number, string])[] = [
  [0, 'at once'],
  [HOUR / SECOND, 'in an hour'],
  [DEFAULT_GRACE / SECOND, 'in a day'],
  [LONGEST_GRACE / SECOND, 'in seven days'],
];

/** The most characters of a key's name that the API accepts. */
const LONGEST_NAME = 60;

const showIssuedKey = ({ kind, mode, key }: IssuedKey): void =>
  showSecret({ text: key, title: `The new ${mode} ${kind} key`, advice: 'Store it where your server reads it.' });

interface ChangeProps {
  readonly place: Place;
  readonly apiKey: Key;
  /** Takes the message about the change. */
  readonly onDone: (message: string) => void;
}

const Roll = ({ place, apiKey, onDone }: ChangeProps) => (
  <Form
    submit="Roll this key"
    onSubmit={async (fields) => {
      showIssuedKey(await forBusiness(place).rollKey(apiKey.id, Number(fields.get('grace_seconds'))));
      onDone('Rolled. The new key is shown above, only this once.');
    }}
  >
    <Field
      label="The old key stops"
      name="grace_seconds"
      formId={apiKey.id}
      hint="Until then both keys work. The new key has the same whitelist at first."
    >
      {(control) => (
        <select {...control}>
          {GRACES.map(([seconds, words]) => (
            <option key={seconds} value={seconds} selected={seconds === DEFAULT_GRACE / SECOND}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  </Form>
);

const Revoke = ({ place, apiKey, onDone }: ChangeProps) => (
  <Form
    submit="Revoke this key"
    isDanger
    onSubmit={async (fields) => {
      if (String(fields.get('last_four')) !== apiKey.last_four) {
        throw createFieldError({ field: 'last_four', message: 'These are not the last four characters of this key.' });
      }
      await forBusiness(place).revokeKey(apiKey.id);
      onDone('Revoked. From now on, every request with this key fails.');
    }}
  >
    <Field
      label={`To revoke this key, type its last four characters: ${apiKey.last_four}`}
      name="last_four"
      formId={apiKey.id}
      hint="Every program that uses this key fails from its next request on."
    >
      {(control) => <input {...control} autocomplete="off" required />}
    </Field>
  </Form>
);

const parseIpv4 = (ip: string): number | undefined => {
  const parts = ip.split('.').map(Number);
  const isAddress = parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part < 256);
  return isAddress ? parts.reduce((bits, part) => bits * 256 + part, 0) : undefined;
};

/** Whether a whitelist entry covers an address. It knows IPv4 ranges and otherwise compares texts: that is enough for a warning. */
const covers = (entry: string, address: string): boolean => {
  const [network = '', length = '32'] = entry.split('/');
  const [from, at] = [parseIpv4(network), parseIpv4(address)];
  if (from === undefined || at === undefined) return entry === address;
  const size = 2 ** (32 - Number(length));
  return Math.floor(from / size) === Math.floor(at / size);
};

const splitEntries = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== '');

const Whitelist = ({ place, apiKey, address, onDone }: ChangeProps & { address: string }) => {
  const stored = apiKey.ip_whitelist.join('\n');
  const [typed, setTyped] = useState(stored);
  // Another member may have changed the whitelist.
  useEffect(() => setTyped(stored), [stored]);
  const entries = splitEntries(typed);
  return (
    <Form
      submit="Save the whitelist"
      onSubmit={async () => {
        await forBusiness(place).updateKey(apiKey.id, { ip_whitelist: entries });
        onDone(
          entries.length === 0
            ? 'Saved. The key works from any address again.'
            : 'Saved. The whitelist applies from the next request on.',
        );
      }}
    >
      <Field
        label="Only from these addresses"
        name="ip_whitelist"
        formId={apiKey.id}
        hint={`Write one on each line: an address such as 102.89.23.17, or a range such as 10.0.0.0/8. If it is empty, the key works from anywhere. Your browser’s address is ${address}, but the key needs your server’s address.`}
      >
        {(control) => (
          <textarea
            {...control}
            rows={4}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      {entries.length > 0 && entries.join() !== apiKey.ip_whitelist.join() && (
        <p class="warning">
          From the next request on, this key fails from every other address
          {entries.some((entry) => covers(entry, address)) ? '.' : `, such as ${address}, where you are now.`}
        </p>
      )}
    </Form>
  );
};

const NAME_HINT = 'Say what uses the key, such as “Checkout server”. Only members see the name.';

const Name = ({ place, apiKey, onDone }: ChangeProps) => (
  <Form
    submit="Save the name"
    onSubmit={async (fields) => {
      const name = String(fields.get('name')).trim();
      await forBusiness(place).updateKey(apiKey.id, { name: name === '' ? null : name });
      onDone('Saved.');
    }}
  >
    <Field label="Name" name="name" formId={apiKey.id} hint={NAME_HINT}>
      {(control) => <input {...control} maxLength={LONGEST_NAME} defaultValue={apiKey.name ?? ''} autocomplete="off" />}
    </Field>
  </Form>
);

const Changes = ({ address, ...change }: ChangeProps & { address: string }) => (
  <div class="disclosures">
    {change.apiKey.kind === 'secret' && (
      <details>
        <summary>IP whitelist</summary>
        <Whitelist {...change} address={address} />
      </details>
    )}
    <details>
      <summary>Name</summary>
      <Name {...change} />
    </details>
    {change.apiKey.status === 'active' && (
      <details>
        <summary>Roll</summary>
        <Roll {...change} />
      </details>
    )}
    <details>
      <summary>Revoke</summary>
      <Revoke {...change} />
    </details>
  </div>
);

/** Milliseconds for which a use of a key is stored. An older key without a stored use may have been used earlier. */
const USES_KEPT_MS = 400 * DAY;

const describeUnused = ({ created_at }: Key): string =>
  Date.now() - Date.parse(created_at) < USES_KEPT_MS ? 'Never' : 'Never, or not for 400 days';

const Facts = ({ apiKey }: { apiKey: Key }) => (
  <dl class="facts">
    <dt>Last used</dt>
    <dd>
      {apiKey.last_used_at === null ? describeUnused(apiKey) : `Between ${lagosHour(apiKey.last_used_at)}, Lagos time`}
    </dd>
    {apiKey.kind === 'secret' && (
      <>
        <dt>IP whitelist</dt>
        <dd>
          {apiKey.ip_whitelist.length === 0
            ? 'None. The key works from any address.'
            : `The key works only from ${apiKey.ip_whitelist.join(', ')}.`}
        </dd>
      </>
    )}
  </dl>
);

interface OneKeyProps {
  readonly place: Place;
  readonly apiKey: Key;
  readonly address: string;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

const OneKey = ({ place, apiKey, address, mayChange, onChanged }: OneKeyProps) => {
  const [message, setMessage] = useState('');
  const done = (text: string): void => {
    setMessage(text);
    onChanged();
  };
  return (
    <li class="card">
      <h2>
        {apiKey.name}{' '}
        <code>
          {apiKey.prefix}…{apiKey.last_four}
        </code>{' '}
        <Badge state={apiKey.status} />
      </h2>
      <p class="quiet">
        {apiKey.kind === 'secret' ? 'Secret' : 'Public'} key, created <Time at={apiKey.created_at} />
        {apiKey.created_by === 'operations' ? ', with the business' : ` by ${apiKey.created_by}`}
        {apiKey.status === 'rolled' && (
          <>
            , works until <Time at={apiKey.expires_at} />
          </>
        )}
      </p>
      {apiKey.status !== 'ended' && <Facts apiKey={apiKey} />}
      <div role="status" class={message === '' ? undefined : 'success'}>
        {message}
      </div>
      {mayChange && apiKey.status !== 'ended' && (
        <Changes place={place} apiKey={apiKey} address={address} onDone={done} />
      )}
    </li>
  );
};

const NewKey = ({ place, onDone }: { place: Place; onDone: () => void }) => (
  <section class="card">
    <h2>New key</h2>
    <Form
      submit="Create a key"
      onSubmit={async (fields) => {
        showIssuedKey(
          await forBusiness(place).createKey(fields.get('kind') as Key['kind'], String(fields.get('name')).trim()),
        );
        onDone();
        return <p>Key created. It is shown above, only this once.</p>;
      }}
    >
      <Field label="Kind" name="kind">
        {(control) => (
          <select {...control}>
            <option value="secret">Secret: for your servers, does everything</option>
            <option value="public">Public: for your pages, only starts checkouts</option>
          </select>
        )}
      </Field>
      <Field label="Name" name="name" formId="new" hint={`${NAME_HINT} It may be empty.`}>
        {(control) => <input {...control} maxLength={LONGEST_NAME} autocomplete="off" />}
      </Field>
    </Form>
  </section>
);

const rankKey = ({ kind, status }: Key): number => Number(kind === 'public') + 2 * Number(status === 'ended');

/** Sorts secret keys first and ended keys last. The sort is stable: within a group the newest stays first. */
const sortKeys = (keys: readonly Key[]): readonly Key[] => keys.toSorted((a, b) => rankKey(a) - rankKey(b));

/** The screen of a mode's API keys. */
export const Keys = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const loading = useLoaded(`keys ${place.businessId} ${place.mode}`, () => forBusiness(place).keys(), { fresh: true });
  return (
    <>
      <h1>API keys</h1>
      <p class="quiet">
        Your servers and pages send a key with each request, to prove that they are yours. With an{' '}
        <strong>IP whitelist</strong>, a secret key works only from your servers’ addresses, so a thief cannot use it.
      </p>
      <Loaded
        loading={loading}
        isEmpty={({ keys }) => keys.length === 0}
        empty={<p>No key in {place.mode} mode. Your servers need one to call the API.</p>}
      >
        {({ keys, your_address }) => (
          <ul class="plain">
            {sortKeys(keys).map((apiKey) => (
              <OneKey
                key={apiKey.id}
                place={place}
                apiKey={apiKey}
                address={your_address}
                mayChange={mayChange}
                onChanged={loading.reload}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {mayChange && <NewKey place={place} onDone={loading.reload} />}
    </>
  );
};
