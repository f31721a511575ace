import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { codeOf, me } from '#shared/pages/dashboard/client/api.ts';
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
      if (codeOf(failure) === 'sign_in_required') me.value = null;
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
    <div role="status">{done}</div>
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

/** Fields with a button. The keyboard's Enter sends it, once. */
export const Form = ({ submit, onSubmit, children, isDanger }: FormProps) => {
  const { isBusy, error, done, run } = useAction();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        void run(() => onSubmit(fields));
      }}
    >
      {children}
      <button type="submit" class={isDanger ? 'danger' : 'primary'} aria-disabled={isBusy}>
        {submit}
      </button>
      <Outcome error={error} done={done} />
    </form>
  );
};

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly children: (id: string, hintId: string | undefined) => ComponentChildren;
}

/** A labelled field. */
export const Field = ({ label, name, hint, children }: FieldProps) => (
  <div class="field">
    <label for={`field-${name}`}>{label}</label>
    {children(`field-${name}`, hint === undefined ? undefined : `hint-${name}`)}
    {hint !== undefined && (
      <p class="quiet" id={`hint-${name}`}>
        {hint}
      </p>
    )}
  </div>
);
