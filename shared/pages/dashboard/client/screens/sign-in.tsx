import { useEffect, useState } from 'preact/hooks';
import { account, codeOf } from '#shared/pages/dashboard/client/api.ts';
import { Act, Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { knowsPasskeys } from '#shared/pages/dashboard/client/passkey.ts';

/** Lets somebody type at once. */
const useFocus = (id: string): void => {
  useEffect(() => document.getElementById(id)?.focus(), [id]);
};

interface AskForCodeProps {
  readonly onTyped: (email: string) => void;
  readonly onAsked: () => void;
}

const AskForCode = ({ onTyped, onAsked }: AskForCodeProps) => {
  useFocus('field-email');
  return (
    <Form
      submit="Mail me a code"
      onSubmit={async (fields) => {
        const email = String(fields.get('email'));
        onTyped(email);
        await account.startSignIn(email);
        onAsked();
      }}
    >
      <Field label="Your e-mail address" name="email">
        {(control) => <input {...control} type="email" autocomplete="username" required />}
      </Field>
    </Form>
  );
};

const TypeCode = ({ email, onBack }: { email: string; onBack: () => void }) => {
  const [isOver, setOver] = useState(false);
  useFocus('field-code');
  return (
    <>
      <p>
        If <strong>{email}</strong> is a member of a business here, it has a code now. It works for ten minutes, in this
        browser, also when you ask for another.
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
          <Field label="The eight digits of the code" name="code">
            {(control) => <input {...control} inputMode="numeric" autocomplete="one-time-code" required />}
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

/** Signing in: with a passkey, or with a code in two steps. Whoever gets no further code can go back to typing the last one. */
export const SignIn = () => {
  const [email, setEmail] = useState<string | undefined>(undefined);
  const [isAsking, setAsking] = useState(true);
  const isTyping = email !== undefined && !isAsking;
  return (
    <main class="narrow" tabIndex={-1}>
      <h1>{isTyping ? 'Type the code' : 'Sign in to Payments'}</h1>
      {isTyping ? (
        <TypeCode email={email} onBack={() => setAsking(true)} />
      ) : (
        <>
          <AskForCode onTyped={setEmail} onAsked={() => setAsking(false)} />
          {email !== undefined && (
            <button type="button" onClick={() => setAsking(false)}>
              Type the code that you have
            </button>
          )}
          {knowsPasskeys() && (
            <section class="other-way">
              <Act label="Sign in with a passkey" work={account.usePasskey} />
            </section>
          )}
        </>
      )}
    </main>
  );
};
