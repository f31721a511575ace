import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PaymentsError } from '#shared/client/index.ts';
import { hasSessionEnded, readErrorCode } from '#shared/pages/dashboard/client/api.ts';
import { formatUrl, place } from '#shared/pages/dashboard/client/router.ts';
import { withFilterLabel } from './fields.ts';

/** How far a question to the service has come. What was there stays while it is asked again. */
export interface Loading<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

const REFRESH_MS = 10_000;

/** Asks again whenever `key` changes, and every ten seconds (`every`) while the page is visible, if it is to stay `fresh`. */
export const useLoaded = <T,>(
  key: string,
  load: () => Promise<T>,
  { fresh = false, every = REFRESH_MS } = {},
): Loading<T> => {
  const [result, setResult] = useState<{ key: string; data: T | undefined; error: unknown }>({
    key,
    data: undefined,
    error: undefined,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      try {
        const data = await load();
        if (isCurrent) setResult({ key, data, error: undefined });
      } catch (error) {
        if (isCurrent) setResult((before) => ({ key, data: before.key === key ? before.data : undefined, error }));
      }
    };
    void ask();
    const timer = fresh
      ? setInterval(() => document.visibilityState === 'visible' && !hasSessionEnded.value && void ask(), every)
      : 0;
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [key, round]);
  const isOld = result.key !== key;
  return {
    data: isOld ? undefined : result.data,
    error: isOld ? undefined : result.error,
    reload: () => setRound((n) => n + 1),
  };
};

/** Whether the fault is in what somebody typed: asking again would not help. */
const isTyped = (error: unknown): boolean => error instanceof PaymentsError && error.code === 'validation_failed';

/** What went wrong, in words, with what support needs to find it. What was typed wrongly needs no support. */
export const Problem = ({ error }: { error: unknown }) => {
  const { message, requestId, errors } = error instanceof PaymentsError ? error : { message: String(error) };
  const details = (errors ?? []).map(withFilterLabel);
  // What is wrong with fields says it all; what went wrong at providers needs the sentence before it.
  const sentences = errors?.some(({ field }) => field !== undefined) ? details : [message, ...details];
  return (
    <div class="problem" role="alert">
      <p>{sentences.join(' ')}</p>
      {readErrorCode(error) === 'step_up_required' && place.value && (
        <p>
          <a href={formatUrl(place.value, 'account')}>Go to your passkeys</a>
        </p>
      )}
      {requestId && !isTyped(error) && <p class="quiet">Request {requestId}</p>}
    </div>
  );
};

interface LoadedProps<T> {
  readonly loading: Loading<T>;
  /** What is shown where there is nothing; absent where there always is something. */
  readonly empty?: ComponentChildren;
  readonly isEmpty?: (data: T) => boolean;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows what was loaded, or that it is loading, empty, forbidden or failed. */
export const Loaded = <T,>({ loading: { data, error, reload }, empty, isEmpty, children }: LoadedProps<T>) => {
  if (readErrorCode(error) === 'forbidden_role') {
    return <p class="empty">Your role does not include this. Ask an owner of the business.</p>;
  }
  if (data === undefined && error === undefined) return <p class="loading">Loading…</p>;
  return (
    <>
      {error !== undefined && (
        <>
          <Problem error={error} />
          {!isTyped(error) && (
            <button type="button" onClick={reload}>
              Try again
            </button>
          )}
        </>
      )}
      {data !== undefined && (isEmpty?.(data) ? <div class="empty">{empty}</div> : children(data))}
    </>
  );
};
