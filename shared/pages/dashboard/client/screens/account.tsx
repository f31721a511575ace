import { account, forBusiness, type MailChoice, type Me, type Passkey } from '#shared/pages/dashboard/client/api.ts';
import { Act, Field, Form, useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, Problem, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { knowsPasskeys } from '#shared/pages/dashboard/client/passkey.ts';

const Remove = ({ passkey }: { passkey: Passkey }) => (
  <details>
    <summary>Remove</summary>
    <p>You can no longer sign in with it, and you are signed out everywhere else.</p>
    <Act label="Remove this passkey" isDanger work={() => account.removePasskey(passkey.id)} />
  </details>
);

const Passkeys = ({ me: { passkeys } }: { me: Me }) => (
  <>
    <h2>Passkeys</h2>
    <p>
      A passkey is your finger, your face or your device’s PIN. It signs you in without a code, and only a passkey can
      change live mode.
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
                It may change live mode from <Time at={passkey.live_from} /> on, because it was added after a code
                alone; operations can confirm it earlier. If you did not add it, remove it now.
              </p>
            )}
            <Remove passkey={passkey} />
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
              ? 'Your first passkey may change live mode a day after you add it; operations can confirm it earlier. The owners of your businesses are mailed.'
              : 'It is added with one that you have.'
          }
        >
          {(control) => <input {...control} required maxLength={60} defaultValue="This device" autocomplete="off" />}
        </Field>
      </Form>
    ) : (
      <p class="warning">This browser cannot make passkeys here. Open the dashboard in another one.</p>
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
      // It concerns the owner alone, and takes no passkey.
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
          <strong>Daily summary</strong>: at seven each morning, what landed the day before in live mode
        </span>
      </label>
      <label class="choice">
        <input type="checkbox" name="endpoints" defaultChecked={mail.endpoints} />
        <span>
          <strong>Webhook endpoints</strong>: one of live mode fails, is suspended or switched off, or works again
        </span>
      </label>
    </fieldset>
  </Form>
);

/** Which mails an owner gets. */
const Mails = ({ me: { businesses } }: { me: Me }) => {
  const owned = businesses.flatMap(({ id, name, mail }) => (mail ? [{ id, name, mail }] : []));
  if (owned.length === 0) return null;
  return (
    <>
      <h2>Mail</h2>
      <p>
        You choose these for each business that you own. Security mails always come: about passkeys, members, live keys,
        the profile, and changes of live webhook endpoints. No summary comes where nothing landed for two days.
      </p>
      {owned.map((business) => (
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

/** What concerns whoever is signed in: passkeys and sessions. */
export const Account = ({ me }: { me: Me }) => (
  <>
    <h1>My account</h1>
    <p class="quiet">{me.user.email}</p>
    <Passkeys me={me} />
    <Mails me={me} />
    <Sessions />
  </>
);
