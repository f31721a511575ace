import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { me } from '#shared/pages/dashboard/client/api.ts';
import { Copy } from './text.tsx';

/** A key or a signing secret in clear text. The service shows it only once. */
interface Secret {
  readonly text: string;
  readonly title: string;
  /** The sentence that says what to do with it. */
  readonly advice: string;
}

/** The secrets that the user has not stored yet. They stay on every screen, because they cannot be shown again. */
const unstoredSecrets = signal<readonly Secret[]>([]);

/** Shows a secret until the user says that it is stored. */
export const showSecret = (secret: Secret): void => {
  unstoredSecrets.value = [secret, ...unstoredSecrets.value];
};

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();
effect(() => {
  if (me.value === null) unstoredSecrets.value = [];
  if (unstoredSecrets.value.length > 0) addEventListener('beforeunload', askBeforeLeaving);
  else removeEventListener('beforeunload', askBeforeLeaving);
});

const SecretCard = ({ secret }: { secret: Secret }) => {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  return (
    <section class="card strong" role="status" tabIndex={-1} ref={section}>
      <h2>{secret.title}</h2>
      <p>
        <strong>It is shown only this once.</strong> {secret.advice}
      </p>
      <p>
        <Copy text={secret.text} label="the secret" />
      </p>
      <button
        type="button"
        class="primary"
        onClick={() => {
          unstoredSecrets.value = unstoredSecrets.value.filter((item) => item !== secret);
          document.querySelector('main')?.focus();
        }}
      >
        I have stored it
      </button>
    </section>
  );
};

/** Shows the secrets that are not stored yet, newest first. */
export const Secrets = () => (
  <>
    {unstoredSecrets.value.map((secret) => (
      <SecretCard key={secret.text} secret={secret} />
    ))}
  </>
);
