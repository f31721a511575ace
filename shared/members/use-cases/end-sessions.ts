import type { Session } from '#shared/members/domain/session.ts';
import { isToken, tokenHash } from '#shared/members/domain/token.ts';
import type { SessionStore } from '#shared/members/ports.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';

/** The most sessions that are ended at the same time. */
const AT_ONCE = 25;

export interface EndSessionsDeps {
  readonly sessions: SessionStore;
}

/** Ends the sessions of a user, except one. A session that began within the last second may remain open. */
export const endSessions = async (deps: EndSessionsDeps, userId: string, except?: Session): Promise<void> => {
  const openSessions = (await deps.sessions.list(userId)).filter(({ id }) => id !== except?.id);
  for (const batch of inBatches(openSessions, AT_ONCE))
    await Promise.all(batch.map((session) => deps.sessions.end(session)));
};

/** Ends the session that a browser had before it got another one. */
export const endReplacedSession = async (sessions: SessionStore, token: string | undefined): Promise<void> => {
  const replaced = token !== undefined && isToken(token) ? await sessions.find(tokenHash(token)) : undefined;
  if (replaced) await sessions.end(replaced);
};

/** Ends one of the user's sessions. @throws ApiError `session_not_found`. */
export const endSession = async (deps: EndSessionsDeps, { userId }: Session, id: string): Promise<void> => {
  const existing = (await deps.sessions.list(userId)).find((session) => session.id === id);
  if (!existing) throw new ApiError('session_not_found');
  await deps.sessions.end(existing);
};
