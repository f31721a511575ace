import { account, forBusiness, type MailChoice, type Me, type Passkey } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton, Field, Form, useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, Problem, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { knowsPasskeys } from '#shared/pages/dashboard/client/passkey.ts';

const RemovePasskey = ({ passkey }: { passkey: Passkey }) => (
  <details>
    <summary>Remove</summary>
    <p>You can then no longer sign in with it, and all your other browsers are signed out.</p>
    <ActionButton label="Remove this passkey" isDanger work={() => account.removePasskey(passkey.id)} />
  </details>
);

const Passkeys = ({ me: { passkeys } }: { me: Me }) => (
  <>
    <h2>Passkeys</h2>
    <p>
      With a passkey you sign in by your fingerprint, your face or your device’s PIN, without a code. You need one to
      change anything in live mode.
    </p>
    {passkeys.length > 0 && (
      <ul class="plain">
        {passkeys.map((passkey) => (
          <li key={passkey.id} class="card">
            <h3>{passkey.name}</h3>
            <p class="quiet">
              Added <Time at={passkey.added_at} />,{' '}
              {passkey.last_used_at === null ? (
                'not used yet'
              ) : (
                <>
                  last used <Time at={passkey.last_used_at} />
                </>
              )}
            </p>
            {passkey.live_from > new Date().toISOString() && (
              <p class="warning">
                This passkey is new. It can change live mode from <Time at={passkey.live_from} />. The operators of this
                service can confirm it earlier. If you did not add it, remove it now.
              </p>
            )}
            <RemovePasskey passkey={passkey} />
          </li>
        ))}
      </ul>
    )}
    {knowsPasskeys() ? (
      <Form submit="Add a passkey" onSubmit={(fields) => account.addPasskey(String(fields.get('name')).trim())}>
        <Field
          label="A name for the new passkey"
          name="name"
          hint={
            passkeys.length === 0
              ? 'Your first passkey can change live mode a day after you add it. The operators of this service can confirm it earlier. We mail the owners of your businesses about it.'
              : 'You confirm it with a passkey that you already have.'
          }
        >
          {(control) => <input {...control} required maxLength={60} defaultValue="This device" autocomplete="off" />}
        </Field>
      </Form>
    ) : (
      <p class="warning">This browser cannot make passkeys here. Open the dashboard in another browser.</p>
    )}
  </>
);

interface MailProps {
  readonly id: string;
  readonly name: string;
  readonly mail: MailChoice;
}

const Mail = ({ id, name, mail }: MailProps) => (
  <Form
    submit="Save"
    onSubmit={async (fields) => {
      // The choice concerns only the owner, so it needs no passkey. The request must name a mode: test mode, because live mode asks for a
      // passkey.
      const business = forBusiness({ businessId: id, mode: 'test' });
      await business.chooseMail({ daily_summary: fields.has('daily_summary'), endpoints: fields.has('endpoints') });
      await account.refresh();
      return <p>Saved.</p>;
    }}
  >
    <fieldset class="choices">
      <legend>{name}</legend>
      <label class="choice">
        <input type="checkbox" name="daily_summary" defaultChecked={mail.daily_summary} />
        <span>
          <strong>Daily summary</strong>: sent at seven each morning, with the live payments of the day before
        </span>
      </label>
      <label class="choice">
        <input type="checkbox" name="endpoints" defaultChecked={mail.endpoints} />
        <span>
          <strong>Webhook endpoints</strong>: sent when a live endpoint fails, is suspended or switched off, or works
          again
        </span>
      </label>
    </fieldset>
  </Form>
);

/** Shows the choice of mails for each business that the member owns. */
const Mails = ({ me: { businesses } }: { me: Me }) => {
  const ownedBusinesses = businesses.flatMap(({ id, name, mail }) => (mail ? [{ id, name, mail }] : []));
  if (ownedBusinesses.length === 0) return null;
  return (
    <>
      <h2>Mail</h2>
      <p>
        Choose the mails about each business that you own. You always get security mails: about passkeys, members, live
        keys, the profile, and changes of live webhook endpoints. You get no summary if no money landed for two days.
      </p>
      {ownedBusinesses.map((business) => (
        <Mail key={business.id} {...business} />
      ))}
    </>
  );
};

const Sessions = () => {
  const sessions = useLoaded('sessions', account.sessions, { fresh: true });
  const { isBusy, error, run } = useAction();
  const end = (id: string) =>
    run(async () => {
      await account.endSession(id);
      sessions.reload();
    });
  return (
    <>
      <h2>Where you are signed in</h2>
      {error !== undefined && <Problem error={error} />}
      <Loaded loading={sessions}>
        {(all) => (
          <ul class="plain">
            {all.map((session) => (
              <li key={session.id} class="card">
                <p>
                  {session.browser} {session.current && <Badge state="this browser" />}
                </p>
                <p class="quiet">
                  Signed in with {session.used_passkey ? 'a passkey' : 'a code'}, from <code>{session.address}</code>,
                  on <Time at={session.created_at} />. Last used <Time at={session.last_seen_at} />.
                </p>
                {!session.current && (
                  <button type="button" aria-disabled={isBusy} onClick={() => void end(session.id)}>
                    End this session
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};

/** The screen of the member's own passkeys, mails and sessions. */
export const Account = ({ me }: { me: Me }) => (
  <>
    <h1>My account</h1>
    <p class="quiet">{me.user.email}</p>
    <Passkeys me={me} />
    <Mails me={me} />
    <Sessions />
  </>
);
