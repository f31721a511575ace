import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { me } from '#shared/pages/dashboard/client/api.ts';
import { Copy } from './text.tsx';

/** A key or a signing secret in clear text: the service shows it once. */
interface Secret {
  readonly text: string;
  readonly title: string;
  /** What to do with it. */
  readonly advice: string;
}

/** What somebody has not stored yet. It stays on every screen, since it cannot be shown again. */
const unstored = signal<readonly Secret[]>([]);

/** Shows a secret until somebody says that it is stored. */
export const showSecret = (secret: Secret): void => {
  unstored.value = [secret, ...unstored.value];
};

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();
effect(() => {
  if (me.value === null) unstored.value = [];
  if (unstored.value.length > 0) addEventListener('beforeunload', askBeforeLeaving);
  else removeEventListener('beforeunload', askBeforeLeaving);
});

const SecretCard = ({ secret }: { secret: Secret }) => {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  return (
    <section class="card strong" role="status" tabIndex={-1} ref={section}>
      <h2>{secret.title}</h2>
      <p>
        <strong>It is shown this once.</strong> {secret.advice}
      </p>
      <p>
        <Copy text={secret.text} label="it" />
      </p>
      <button
        type="button"
        class="primary"
        onClick={() => {
          unstored.value = unstored.value.filter((item) => item !== secret);
          document.querySelector('main')?.focus();
        }}
      >
        I have stored it
      </button>
    </section>
  );
};

/** The secrets that are not stored yet, newest first. */
export const Secrets = () => (
  <>
    {unstored.value.map((secret) => (
      <SecretCard key={secret.text} secret={secret} />
    ))}
  </>
);
