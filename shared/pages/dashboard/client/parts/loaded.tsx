import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PaymentsError } from '#shared/client/index.ts';
import { hasSessionEnded, readErrorCode } from '#shared/pages/dashboard/client/api.ts';
import { formatUrl, place } from '#shared/pages/dashboard/client/router.ts';
import { describeFilterError } from './fields.ts';

/** The state of a request. While the same data load again, the old data stay. */
export interface Loading<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

const REFRESH_MS = 10_000;

/**
 * Loads data, and loads them again when `key` changes. If `fresh`, it also loads them again every `every` milliseconds, unless the page is hidden
 * or the session has ended.
 */
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

/** Whether the user's input is wrong, so that another try would fail too. */
const isInputError = (error: unknown): boolean => error instanceof PaymentsError && error.code === 'validation_failed';

/** Shows an error's messages. The id of the request, for support, is left out if the user's input is wrong. */
export const Problem = ({ error }: { error: unknown }) => {
  const { message, requestId, errors } = error instanceof PaymentsError ? error : { message: String(error) };
  const details = (errors ?? []).map(describeFilterError);
  // Errors of fields are complete sentences; errors of providers need the general message before them.
  const sentences = errors?.some(({ field }) => field !== undefined) ? details : [message, ...details];
  return (
    <div class="problem" role="alert">
      <p>{sentences.join(' ')}</p>
      {readErrorCode(error) === 'step_up_required' && place.value && (
        <p>
          <a href={formatUrl(place.value, 'account')}>Go to your passkeys</a>
        </p>
      )}
      {requestId && !isInputError(error) && <p class="quiet">Request {requestId}</p>}
    </div>
  );
};

interface LoadedProps<T> {
  readonly loading: Loading<T>;
  /** Shown if the data are empty; absent if they never are. */
  readonly empty?: ComponentChildren;
  readonly isEmpty?: (data: T) => boolean;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows loaded data, or that they are loading, empty or forbidden, or that loading failed. */
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
          {!isInputError(error) && (
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
