import { useEffect, useRef, useState } from 'preact/hooks';
import { account, hasSessionEnded, leave, readErrorCode } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton, Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { knowsPasskeys } from '#shared/pages/dashboard/client/passkey.ts';

/** Focuses an element, so that the user can type at once. */
const useFocus = (id: string): void => {
  useEffect(() => document.getElementById(id)?.focus(), [id]);
};

interface StepsProps {
  /** Distinguishes the dialog's fields from those of the screen under it. */
  readonly formId?: string | undefined;
  /** The e-mail address, if we know it already. */
  readonly knownEmail?: string | undefined;
}

interface AskForCodeProps extends StepsProps {
  readonly onTyped: (email: string) => void;
  readonly onAsked: () => void;
}

const AskForCode = ({ formId, knownEmail, onTyped, onAsked }: AskForCodeProps) => {
  useFocus(formId === undefined ? 'field-email' : `field-email-${formId}`);
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
      <Field label="Your e-mail address" name="email" formId={formId}>
        {(control) => <input {...control} type="email" autocomplete="username" defaultValue={knownEmail} required />}
      </Field>
    </Form>
  );
};

interface TypeCodeProps extends StepsProps {
  readonly email: string;
  readonly onBack: () => void;
}

const TypeCode = ({ formId, email, onBack }: TypeCodeProps) => {
  const [hasCodeExpired, setCodeExpired] = useState(false);
  useFocus(formId === undefined ? 'field-code' : `field-code-${formId}`);
  return (
    <>
      <p>
        If <strong>{email}</strong> belongs to a member of a business here, we have mailed a code to it. The code works
        for ten minutes in this browser, even if you ask for another one.
      </p>
      {!hasCodeExpired && (
        <Form
          submit="Sign in"
          onSubmit={async (fields) => {
            try {
              await account.finishSignIn(String(fields.get('code')).replace(/\s/g, ''));
            } catch (error) {
              setCodeExpired(readErrorCode(error) === 'code_expired');
              throw error;
            }
          }}
        >
          <Field label="The eight digits of the code" name="code" formId={formId}>
            {(control) => <input {...control} inputMode="numeric" autocomplete="one-time-code" required />}
          </Field>
        </Form>
      )}
      {hasCodeExpired && <p role="alert">This code no longer works. Ask for another code.</p>}
      <button type="button" onClick={onBack}>
        Ask for another code
      </button>
    </>
  );
};

/** Signs in with a passkey, or with a code in two steps. A user who asks for another code but gets none can go back and type the last one. */
const Steps = ({ title, formId, knownEmail }: StepsProps & { readonly title: string }) => {
  const [email, setEmail] = useState<string | undefined>(undefined);
  const [isAsking, setAsking] = useState(true);
  if (email !== undefined && !isAsking) {
    return (
      <>
        <h1>Type the code</h1>
        <TypeCode formId={formId} email={email} onBack={() => setAsking(true)} />
      </>
    );
  }
  return (
    <>
      <h1>{title}</h1>
      {formId !== undefined && <p>Your session has ended. Nothing that you typed is lost.</p>}
      <AskForCode
        formId={formId}
        knownEmail={email ?? knownEmail}
        onTyped={setEmail}
        onAsked={() => setAsking(false)}
      />
      {email !== undefined && (
        <button type="button" onClick={() => setAsking(false)}>
          Type the code that you have
        </button>
      )}
      {knowsPasskeys() && (
        <section class="other-way">
          <ActionButton label="Sign in with a passkey" work={account.usePasskey} />
        </section>
      )}
    </>
  );
};

/** The page for signing in. */
export const SignIn = () => (
  <main class="narrow" tabIndex={-1}>
    <Steps title="Sign in to Payments" />
  </main>
);

/** The dialog for signing in again when the session has ended. It covers the screen, which keeps everything that was typed. */
export const SignInAgain = ({ email }: { email: string }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = hasSessionEnded.value;
  useEffect(() => {
    if (!isOpen) {
      dialog.current?.close();
      return;
    }
    dialog.current?.showModal();
    // The member may have signed in on another tab.
    const checkSession = (): void => {
      account.refresh().catch(() => {});
    };
    addEventListener('focus', checkSession);
    return () => removeEventListener('focus', checkSession);
  }, [isOpen]);
  return (
    <dialog
      class="again"
      aria-label="Sign in again"
      ref={dialog}
      onCancel={(event) => event.preventDefault()}
      onClose={() => hasSessionEnded.value && dialog.current?.showModal()}
    >
      {isOpen && (
        <>
          <Steps title="Sign in again" formId="again" knownEmail={email} />
          <p class="other-way">
            <button type="button" onClick={leave}>
              I am somebody else
            </button>
          </p>
        </>
      )}
    </dialog>
  );
};
