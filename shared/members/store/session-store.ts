import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Session, session } from '#shared/members/domain/session.ts';
import type { SessionReader, SessionStore } from '#shared/members/ports.ts';
import { inSessions, sessionKey, sessionPartition } from '#shared/members/store/keys.ts';
import { type Millis, unixSeconds } from '#shared/platform/kernel/time.ts';
import type { Page } from '#shared/platform/ports.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, listItems, type Table } from '#shared/platform/table/table.ts';

const PAGE_SIZE = 100;
/**
 * The most sessions of a user that are listed, to be shown or to be ended. With a low maximum, a thief with the user's passkey could begin so many
 * sessions that some are not listed and stay open when all are ended. Every session ends within twelve hours.
 */
const MAX_LISTED = 5_000;

/** Makes the item of a session. */
export const sessionItem = (session: Session) => ({
  ...session,
  ...sessionKey(session.tokenHash),
  ...inSessions(session.userId, session.createdAt, session.id),
  ttl: unixSeconds(session.expiresAt),
});

/** Reads sessions, which every request of a signed-in browser needs. */
export const sessionReader = (table: Table): SessionReader => ({
  find: async (tokenHash) => {
    const item = await getItem(table, sessionKey(tokenHash));
    return readItem(table, session, item);
  },
});

/** Changes a session that has not ended and meets `condition`. */
const updateSession = async (
  table: Table,
  { tokenHash }: Session,
  values: string,
  ExpressionAttributeValues: Readonly<Record<`:${string}`, Millis | string | null>>,
  condition = 'attribute_exists(pk)',
): Promise<void> => {
  await conditionHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { ...sessionKey(tokenHash) },
        UpdateExpression: `SET ${values}`,
        ConditionExpression: condition,
        ExpressionAttributeValues,
      }),
    ),
  );
};

/** Keeps sessions in the table. */
export const sessionStore = (table: Table): SessionStore => ({
  ...sessionReader(table),
  touch: (session, seenAt) => updateSession(table, session, 'lastSeenAt = :seenAt', { ':seenAt': seenAt }),
  forgetPasskey: (session) =>
    updateSession(table, session, 'steppedUpAt = :none, passkeyId = :none, liveFrom = :none', { ':none': null }),
  // The condition is needed because the passkey may have been removed since the session was read.
  trustPasskey: (session, liveFrom) =>
    updateSession(
      table,
      session,
      'liveFrom = :liveFrom',
      { ':liveFrom': liveFrom, ':passkey': session.passkeyId },
      'passkeyId = :passkey',
    ),
  list: async (userId) => {
    const sessions: Session[] = [];
    let after: string | null = null;
    do {
      const page: Page<Session> = await listItems(table, session, sessionPartition(userId), {
        limit: PAGE_SIZE,
        after,
      });
      sessions.push(...page.items);
      after = page.next;
    } while (after !== null && sessions.length < MAX_LISTED);
    return sessions;
  },
  end: async ({ tokenHash }) => {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...sessionKey(tokenHash) } }));
  },
});
