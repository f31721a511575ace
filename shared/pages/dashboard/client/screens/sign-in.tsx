import { useState } from 'preact/hooks';
import { account, codeOf } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form, useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Problem } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { knowsPasskeys } from '#shared/pages/dashboard/client/passkey.ts';

const AskForCode = ({ onAsked }: { onAsked: (email: string) => void }) => (
  <Form
    submit="Mail me a code"
    onSubmit={async (fields) => {
      const email = String(fields.get('email'));
      await account.startSignIn(email);
      onAsked(email);
    }}
  >
    <Field label="Your e-mail address" name="email">
      {(id) => <input id={id} name="email" type="email" autocomplete="username" required />}
    </Field>
  </Form>
);

const TypeCode = ({ email, onBack }: { email: string; onBack: () => void }) => {
  const [isOver, setOver] = useState(false);
  return (
    <>
      <p>
        If <strong>{email}</strong> is a member of a business here, it has a code now. It works for ten minutes, in this
        browser.
      </p>
      {!isOver && (
        <Form
          submit="Sign in"
          onSubmit={async (fields) => {
            try {
              await account.finishSignIn(String(fields.get('code')).replace(/\s/g, ''));
            } catch (error) {
              setOver(codeOf(error) === 'code_expired');
              throw error;
            }
          }}
        >
          <Field label="The six digits of the code" name="code">
            {(id) => <input id={id} name="code" inputMode="numeric" autocomplete="one-time-code" required />}
          </Field>
        </Form>
      )}
      {isOver && <p role="alert">This code no longer works here.</p>}
      <button type="button" onClick={onBack}>
        Ask for another code
      </button>
    </>
  );
};

/** Signing in: with a passkey, or with a code in two steps. */
export const SignIn = () => {
  const [email, setEmail] = useState<string | undefined>(undefined);
  const { isBusy, error, run } = useAction();
  return (
    <main class="narrow" tabIndex={-1}>
      <h1>Sign in</h1>
      {email === undefined ? (
        <>
          <AskForCode onAsked={setEmail} />
          {knowsPasskeys() && (
            <section class="other-way">
              <button type="button" disabled={isBusy} onClick={() => void run(account.usePasskey)}>
                Sign in with a passkey
              </button>
              {error !== undefined && <Problem error={error} />}
            </section>
          )}
        </>
      ) : (
        <TypeCode email={email} onBack={() => setEmail(undefined)} />
      )}
    </main>
  );
};
