import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { checkForm, focusFirstWrong, sortErrors } from './fields.ts';
import { Problem } from './loaded.tsx';

/** What is done: it returns what to say of it, if there is anything to say. */
type Work = () => Promise<ComponentChildren> | Promise<void>;

/** Does something once at a time, and keeps what went wrong, or what was done. */
export const useAction = () => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [done, setDone] = useState<ComponentChildren>(undefined);
  const run = async (work: Work): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    setDone(undefined);
    try {
      setDone((await work()) ?? undefined);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, done, run };
};

interface OutcomeProps {
  readonly error: unknown;
  readonly done: ComponentChildren;
}

/** What became of an action. */
export const Outcome = ({ error, done }: OutcomeProps) => (
  <>
    {error !== undefined && <Problem error={error} />}
    <div role="status" class={done === undefined ? undefined : 'success'}>
      {done}
    </div>
  </>
);

interface ActProps {
  readonly label: ComponentChildren;
  readonly work: Work;
  readonly isDanger?: boolean;
}

/** A button that does something, with what became of it. It keeps the keyboard's focus while it works. */
export const Act = ({ label, work, isDanger }: ActProps) => {
  const { isBusy, error, done, run } = useAction();
  return (
    <div class="act">
      <button type="button" class={isDanger ? 'danger' : ''} aria-disabled={isBusy} onClick={() => void run(work)}>
        {label}
      </button>
      <Outcome error={error} done={done} />
    </div>
  );
};

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (fields: FormData) => Promise<ComponentChildren> | Promise<void>;
  readonly children: ComponentChildren;
  readonly isDanger?: boolean;
}

/** What is wrong with the fields of a form, by their names. */
const WrongFields = createContext<Readonly<Record<string, string>>>({});

/** Fields with a button. The keyboard's Enter sends it, once. What is wrong with a field is said there, and the keyboard is brought to it. */
export const Form = ({ submit, onSubmit, children, isDanger }: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, error, done, run } = useAction();
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
      <Outcome error={elsewhere} done={done} />
    </form>
  );
};

/** What the control of a field has: its name, and what describes it. */
interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly label: string;
  /** As the API names it, so that its errors are found. */
  readonly name: string;
  /** Tells fields of several forms on a screen apart. */
  readonly formId?: string | undefined;
  readonly hint?: string;
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** A labelled field, with what is wrong with it. */
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
