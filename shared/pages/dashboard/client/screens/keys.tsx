import { useState } from 'preact/hooks';
import { forBusiness, type IssuedKey, type Key } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { wrongFields } from '#shared/pages/dashboard/client/parts/fields.ts';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { showSecret } from '#shared/pages/dashboard/client/parts/secret.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';
import { DEFAULT_GRACE, LONGEST_GRACE } from '#shared/platform/kernel/grace.ts';
import { HOUR, SECOND } from '#shared/platform/kernel/time.ts';

const GRACES: readonly (readonly [number, string])[] = [
  [0, 'at once'],
  [HOUR / SECOND, 'in an hour'],
  [DEFAULT_GRACE / SECOND, 'in a day'],
  [LONGEST_GRACE / SECOND, 'in seven days'],
];

const nameOf = ({ prefix, last_four }: Key): string => `${prefix}…${last_four}`;

const shown = ({ kind, mode, key }: IssuedKey): void =>
  showSecret({ text: key, title: `The new ${mode} ${kind} key`, advice: 'Store it where your server reads it.' });

interface ChangeProps {
  readonly place: Place;
  readonly of: Key;
  readonly onDone: () => void;
}

const Roll = ({ place, of, onDone }: ChangeProps) => (
  <Form
    submit="Roll this key"
    onSubmit={async (fields) => {
      shown(await forBusiness(place).rollKey(of.id, Number(fields.get('grace_seconds'))));
      onDone();
    }}
  >
    <Field
      label="The old key stops"
      name="grace_seconds"
      of={of.id}
      hint="Until then both work. The new one begins with the same whitelist."
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

const Revoke = ({ place, of, onDone }: ChangeProps) => (
  <Form
    submit="Revoke this key"
    isDanger
    onSubmit={async (fields) => {
      if (String(fields.get('last_four')) !== of.last_four) {
        throw wrongFields({ field: 'last_four', message: 'These are not its last four characters.' });
      }
      await forBusiness(place).revokeKey(of.id);
      onDone();
    }}
  >
    <Field
      label={`To revoke it, type its last four characters: ${of.last_four}`}
      name="last_four"
      of={of.id}
      hint="What uses it is refused from the next request on."
    >
      {(control) => <input {...control} autocomplete="off" required />}
    </Field>
  </Form>
);

const bitsOf = (ip: string): number | undefined => {
  const parts = ip.split('.').map(Number);
  const isAddress = parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part < 256);
  return isAddress ? parts.reduce((bits, part) => bits * 256 + part, 0) : undefined;
};

/** Whether an entry lets an address through, as far as a warning needs it: ranges of IPv4, else the same text. */
const covers = (entry: string, address: string): boolean => {
  const [network = '', length = '32'] = entry.split('/');
  const [from, at] = [bitsOf(network), bitsOf(address)];
  if (from === undefined || at === undefined) return entry === address;
  const size = 2 ** (32 - Number(length));
  return Math.floor(from / size) === Math.floor(at / size);
};

const entriesOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '');

const Whitelist = ({ place, of, address, onDone }: ChangeProps & { address: string }) => {
  const [typed, type] = useState(of.ip_whitelist.join('\n'));
  const entries = entriesOf(typed);
  return (
    <Form
      submit="Save the whitelist"
      onSubmit={async () => {
        await forBusiness(place).setWhitelist(of.id, entries);
        onDone();
      }}
    >
      <Field
        label="Only from these addresses"
        name="ip_whitelist"
        of={of.id}
        hint={`One on each line: 102.89.23.17, or a range such as 10.0.0.0/8. Empty: from anywhere. This page is at ${address} now; what counts is your server’s address.`}
      >
        {(control) => (
          <textarea {...control} rows={4} value={typed} onInput={({ currentTarget }) => type(currentTarget.value)} />
        )}
      </Field>
      {entries.length > 0 && (
        <p class="warning">
          From the next request on, this key is refused from every other address
          {entries.some((one) => covers(one, address)) ? '.' : `, such as ${address}, where you are now.`}
        </p>
      )}
    </Form>
  );
};

const OneKey = ({ address, mayChange, ...change }: ChangeProps & { address: string; mayChange: boolean }) => {
  const { of } = change;
  return (
    <li class="card">
      <h2>
        <code>{nameOf(of)}</code> <Badge of={of.status} />
      </h2>
      <p class="quiet">
        {of.kind} key, created <Time at={of.created_at} /> by {of.created_by}
        {of.status === 'rolled' && (
          <>
            , works until <Time at={of.expires_at} />
          </>
        )}
      </p>
      {of.kind === 'secret' && of.status !== 'ended' && (
        <p>
          {of.ip_whitelist.length === 0
            ? 'It may be used from any address.'
            : `It may be used only from ${of.ip_whitelist.join(', ')}.`}
        </p>
      )}
      {mayChange && of.status !== 'ended' && (
        <div class="disclosures">
          {of.kind === 'secret' && (
            <details>
              <summary>IP whitelist</summary>
              <Whitelist {...change} address={address} />
            </details>
          )}
          {of.status === 'active' && (
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
      )}
    </li>
  );
};

/** The API keys of a mode. */
export const Keys = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const loading = useLoaded(`keys ${place.businessId} ${place.mode}`, () => forBusiness(place).keys(), { fresh: true });
  return (
    <>
      <h1>API keys</h1>
      {mayChange && (
        <Form
          submit="Create a key"
          onSubmit={async (fields) => {
            shown(await forBusiness(place).createKey(fields.get('kind') as Key['kind']));
            loading.reload();
          }}
        >
          <Field
            label="A new key"
            name="kind"
            hint="A secret key is for your servers; a public one only starts checkouts."
          >
            {(control) => (
              <select {...control}>
                <option value="secret">secret</option>
                <option value="public">public</option>
              </select>
            )}
          </Field>
        </Form>
      )}
      <Loaded of={loading} isEmpty={({ keys }) => keys.length === 0} empty={<p>No key in {place.mode} mode.</p>}>
        {({ keys, your_address }) => (
          <ul class="plain">
            {keys.map((one) => (
              <OneKey
                key={`${one.id} ${one.ip_whitelist}`}
                place={place}
                of={one}
                address={your_address}
                mayChange={mayChange}
                onDone={loading.reload}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};
