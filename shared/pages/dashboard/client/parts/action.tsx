import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { codeOf, me } from '#shared/pages/dashboard/client/api.ts';
import { Problem } from './loaded.tsx';

/** Does something once at a time, and keeps what went wrong. */
export const useAction = () => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      if (codeOf(failure) === 'sign_in_required') me.value = null;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
};

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (fields: FormData) => Promise<void>;
  readonly children: ComponentChildren;
  readonly isDanger?: boolean;
}

/** Fields with a button. The keyboard's Enter sends it, once. */
export const Form = ({ submit, onSubmit, children, isDanger }: FormProps) => {
  const { isBusy, error, run } = useAction();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        void run(() => onSubmit(fields));
      }}
    >
      {children}
      {error !== undefined && <Problem error={error} />}
      <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={isBusy}>
        {submit}
      </button>
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
