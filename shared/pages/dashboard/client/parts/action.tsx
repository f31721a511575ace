import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { checkForm, focusFirstWrong, sortErrors } from './fields.ts';
import { Problem } from './loaded.tsx';

/** An action. It may return a message about its success. */
type Work = () => Promise<ComponentChildren> | Promise<void>;

/** Runs one action at a time, and keeps its error or its message. */
export const useAction = () => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [message, setMessage] = useState<ComponentChildren>(undefined);
  const run = async (work: Work): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    setMessage(undefined);
    try {
      setMessage((await work()) ?? undefined);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, message, run };
};

interface OutcomeProps {
  readonly error: unknown;
  readonly message: ComponentChildren;
}

/** Shows the error or the message of an action. */
export const Outcome = ({ error, message }: OutcomeProps) => (
  <>
    {error !== undefined && <Problem error={error} />}
    <div role="status" class={message === undefined ? undefined : 'success'}>
      {message}
    </div>
  </>
);

interface ActProps {
  readonly label: ComponentChildren;
  readonly work: Work;
  readonly isDanger?: boolean;
}

/** A button that runs an action and shows its outcome. It keeps the focus while it works. */
export const ActionButton = ({ label, work, isDanger }: ActProps) => {
  const { isBusy, error, message, run } = useAction();
  return (
    <div class="act">
      <button type="button" class={isDanger ? 'danger' : ''} aria-disabled={isBusy} onClick={() => void run(work)}>
        {label}
      </button>
      <Outcome error={error} message={message} />
    </div>
  );
};

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (fields: FormData) => Promise<ComponentChildren> | Promise<void>;
  readonly children: ComponentChildren;
  readonly isDanger?: boolean;
}

/** The errors of a form's fields, by the fields' names. */
const WrongFields = createContext<Readonly<Record<string, string>>>({});

/** A form with one submit button. It shows each error at its field, and moves the focus to the first wrong field. */
export const Form = ({ submit, onSubmit, children, isDanger }: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, error, message, run } = useAction();
  const { atFields, elsewhere } = sortErrors(form.current, error);
  useLayoutEffect(() => focusFirstWrong(form.current), [error]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const sent = event.currentTarget;
        void run(async () => {
          checkForm(sent);
          return (await onSubmit(new FormData(sent))) ?? undefined;
        });
      }}
    >
      <WrongFields.Provider value={atFields}>{children}</WrongFields.Provider>
      <button type="submit" class={isDanger ? 'danger' : 'primary'} aria-disabled={isBusy}>
        {submit}
      </button>
      <Outcome error={elsewhere} message={message} />
    </form>
  );
};

/** The attributes of a field's control. */
interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly label: string;
  /** The API's name of the field. Its errors are found by it. */
  readonly name: string;
  /** Distinguishes fields of the same name in several forms on a screen. */
  readonly formId?: string | undefined;
  readonly hint?: string;
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** A labelled field with its hint and its error. */
export const Field = ({ label, name, formId, hint, children }: FieldProps) => {
  const wrong = useContext(WrongFields)[name];
  const id = formId === undefined ? name : `${name}-${formId}`;
  const described = [wrong !== undefined && `wrong-${id}`, hint !== undefined && `hint-${id}`].filter(Boolean);
  return (
    <div class="field">
      <label for={`field-${id}`}>{label}</label>
      {children({
        id: `field-${id}`,
        name,
        'aria-describedby': described.join(' ') || undefined,
        'aria-invalid': wrong === undefined ? undefined : true,
      })}
      {wrong !== undefined && (
        <p class="wrong" id={`wrong-${id}`} role="alert">
          {wrong}
        </p>
      )}
      {hint !== undefined && (
        <p class="quiet" id={`hint-${id}`}>
          {hint}
        </p>
      )}
    </div>
  );
};
