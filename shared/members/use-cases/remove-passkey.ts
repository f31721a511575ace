import { isWaiting } from '#shared/members/domain/passkey.ts';
import { type Session, steppedUpUntil } from '#shared/members/domain/session.ts';
import type { User } from '#shared/members/domain/user.ts';
import { findPasskey, removePasskey as withoutPasskey } from '#shared/members/domain/user-passkeys.ts';
import type { RequestOrigin } from '#shared/members/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { GIVE_UP_SOON, untilCommitted } from '#shared/platform/until-committed.ts';
import { type ChangePasskeysDeps, makePasskeyRecords, passkeyNotice } from './add-passkey.ts';
import { type EndSessionsDeps, endSessions } from './end-sessions.ts';
import { readSessionUser } from './start-passkey.ts';

/**
 * Removes a passkey of the session's user, ends the user's other sessions, and mails the user and the owners of the user's businesses. This session
 * continues as if it had begun with a code, because the removed passkey may be the passkey of this session. A passkey that still waits for live
 * mode may be a stranger's, so removing it needs no passkey.
 * @throws ApiError `passkey_not_found`, `step_up_required`.
 */
export const removePasskey = async (
  deps: ChangePasskeysDeps & EndSessionsDeps,
  session: Session,
  { id, from }: { readonly id: string; readonly from: RequestOrigin },
): Promise<User> => {
  const now = deps.now();
  const user = await untilCommitted(
    deps,
    async () => {
      const before = await readSessionUser(deps, session);
      const passkey = findPasskey(before, id);
      if (!isWaiting(passkey, now) && steppedUpUntil(session, now) === null) throw new ApiError('step_up_required');
      const after = withoutPasskey(before, id);
      const records = makePasskeyRecords(deps, before, {
        address: from.address,
        action: 'DELETE /passkeys/{id}',
        what: `removed the passkey “${passkey.name}”`,
        target: id,
      });
      const mail = passkeyNotice(deps, before, 'removed', passkey, { at: now, address: from.address });
      return (await deps.users.save({ before, after, records, ...mail })) ? { done: after } : 'conflict';
    },
    GIVE_UP_SOON,
  );
  await Promise.all([endSessions(deps, session.userId, session), deps.sessions.forgetPasskey(session)]);
  return user;
};
