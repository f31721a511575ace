import * as z from 'zod/mini';
import { parseJson } from '#shared/platform/json.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Keys, ReadKeys } from '#shared/platform/ports.ts';
import { cached, REFRESH_MS } from './cached.ts';
import { nameOfFailure, readSecret } from './secret-value.ts';

const key = text.check(z.minLength(32));
const storedKeys = z.object({ key, previousKey: z.optional(key) });

interface StageKeysDeps {
  readonly now: () => Millis;
  readonly log: Log;
}

/** Parses the keys in the text of a secret. @throws Error that does not quote the text. */
const parseKeys = (place: string, stored: string | undefined): Keys => {
  const parsed = storedKeys.safeParse(parseJson(stored ?? ''));
  if (!parsed.success) throw new Error(`${place} holds no key. docs/operating/secrets.md shows how to store one.`);
  const { key: current, previousKey } = parsed.data;
  return previousKey === undefined ? [current] : [current, previousKey];
};

const readKeys = async (secretId: string): Promise<Keys> => {
  const stored = await readSecret(secretId).catch((error) => {
    if (error instanceof DependencyUnavailable) throw error;
    throw new Error(`The secret ${secretId} could not be read (${nameOfFailure(error)}).`, { cause: error });
  });
  return parseKeys(`The secret ${secretId}`, stored);
};

/**
 * Makes a reader of the stage's keys. `place`: the name of the secret with the keys, or the keys themselves as JSON (shared/platform/env.ts).
 * Keys of a secret are cached for an hour, and read again on request, at most once a minute. If a read fails, the last keys stay in use. The
 * first read begins at once, and runs beside the rest of a cold start.
 * The reader throws DependencyUnavailable if a repeat may succeed; Error if there is no key, or the role may not read it.
 */
export const stageKeys = (place: string, { now, log }: StageKeysDeps): ReadKeys => {
  if (place.startsWith('{')) {
    const keys = parseKeys('The variable', place);
    return async () => keys;
  }
  const read = cached(() => readKeys(place), now);
  let last: Keys | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  read().catch(() => {});
  return async (options) => {
    if (last && now() - triedAt <= REFRESH_MS) return last;
    try {
      last = await read(options);
    } catch (error) {
      if (!last) throw error;
      triedAt = now();
      log('stage_keys_not_read', { secret: place }, error);
    }
    return last;
  };
};
