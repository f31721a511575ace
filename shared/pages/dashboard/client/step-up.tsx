import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from './parts/action.tsx';
import { Problem } from './parts/loaded.tsx';

/* Asks for the passkey if a request needs a passkey that was used in the last ten minutes. The request is then sent again (api.ts). */

interface PasskeyPrompt {
  readonly finish: (isDone: boolean) => void;
}

const passkeyPrompt = signal<PasskeyPrompt | undefined>(undefined);

/** Asks for the passkey. Returns whether the user used it. */
export const askForPasskey = (): Promise<boolean> =>
  new Promise((resolve) => {
    passkeyPrompt.value?.finish(false);
    passkeyPrompt.value = {
      finish: (isDone) => {
        passkeyPrompt.value = undefined;
        resolve(isDone);
      },
    };
  });

/** Shows the dialog with the button, because browsers want a click before they ask for a passkey. */
export const StepUp = ({ use }: { use: () => Promise<void> }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const { isBusy, error, run } = useAction();
  const prompt = passkeyPrompt.value;
  useEffect(() => {
    if (prompt) dialog.current?.showModal();
    else dialog.current?.close();
  }, [prompt]);
  return (
    <dialog ref={dialog} aria-labelledby="step-up" onCancel={() => prompt?.finish(false)}>
      <h2 id="step-up">Use your passkey</h2>
      <p>This change needs your passkey. After that, we don’t ask again for ten minutes.</p>
      {error !== undefined && <Problem error={error} />}
      <p class="buttons">
        <button
          type="button"
          class="primary"
          aria-disabled={isBusy}
          onClick={() =>
            void run(async () => {
              await use();
              prompt?.finish(true);
            })
          }
        >
          Use passkey
        </button>
        <button type="button" onClick={() => prompt?.finish(false)}>
          Not now
        </button>
      </p>
    </dialog>
  );
};
