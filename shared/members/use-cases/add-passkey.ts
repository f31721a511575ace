import type { MemberChange } from '#shared/businesses/domain/member-change.ts';
import { newNotice } from '#shared/businesses/domain/notice.ts';
import { type Passkey, WAIT_FOR_LIVE } from '#shared/members/domain/passkey.ts';
import { mayChangeLive, type Session } from '#shared/members/domain/session.ts';
import type { User } from '#shared/members/domain/user.ts';
import { addPasskey as withPasskey } from '#shared/members/domain/user-passkeys.ts';
import type {
  ChallengeStore,
  NewPasskey,
  PasskeyVerifier,
  RequestOrigin,
  Site,
  UserChange,
  UserStore,
} from '#shared/members/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { GIVE_UP_SOON, untilCommitted } from '#shared/platform/until-committed.ts';
import { takeChallenge } from './challenges.ts';
import { ensureMayAdd, readSessionUser } from './start-passkey.ts';

export interface ChangePasskeysDeps extends Pick<Runtime, 'now' | 'newId' | 'pause'> {
  readonly users: UserStore;
}

export interface AddPasskeyDeps extends ChangePasskeysDeps {
  readonly challenges: ChallengeStore;
  readonly passkeys: PasskeyVerifier;
}

/** Makes the records of a change of passkeys, one for each of the user's businesses. */
export const makePasskeyRecords = (
  deps: ChangePasskeysDeps,
  { id, email, businesses }: User,
  change: Pick<MemberChange, 'address' | 'action' | 'what' | 'target'>,
): MemberChange[] =>
  businesses.map((businessId) => ({
    id: deps.newId('log'),
    businessId,
    at: deps.now(),
    userId: id,
    email,
    mode: 'live',
    needs: 'viewer',
    usedPasskey: false,
    ...change,
  }));

/** Makes the mail about a passkey to the user and to the owners of the user's businesses; none for a user without a business. */
export const passkeyNotice = (
  { newId }: ChangePasskeysDeps,
  { id: userId, email, businesses }: User,
  action: 'added' | 'removed',
  { name, liveFrom }: Passkey,
  { at, address }: { readonly at: Millis; readonly address: string },
): Pick<UserChange, 'notice'> => {
  const waitsUntil = action === 'added' && at < liveFrom ? liveFrom : null;
  const about = { kind: 'passkey', action, email, name, at, address, liveFrom: waitsUntil } as const;
  const notice = newNotice({ id: newId('ntc'), businessIds: businesses, userId, about }, at);
  return businesses.length === 0 ? {} : { notice };
};

/**
 * Adds a passkey to the user of a session, and mails the user and the owners of the user's businesses. If the session may change live mode, the new
 * passkey may do so at once. Otherwise the new passkey may change live mode only after a day: a thief who reads the user's mail could have signed
 * in with a code, and could be adding a passkey.
 * @throws ApiError `wrong_passkey`, `step_up_required`, or `not_possible` if the user has the maximum number of passkeys, or has this passkey
 * already.
 */
export const addPasskey = async (
  deps: AddPasskeyDeps,
  session: Session,
  input: { readonly name: string; readonly passkey: NewPasskey; readonly site: Site; readonly from: RequestOrigin },
): Promise<User> => {
  const { challenge, userId } = await takeChallenge(deps, input.passkey.response);
  const signed = await deps.passkeys.verifyNew(input.passkey, { challenge, site: input.site });
  if (userId !== session.userId || !signed) throw new ApiError('wrong_passkey');
  const now = deps.now();
  const added: Passkey = {
    ...signed,
    id: deps.newId('pky'),
    name: input.name,
    addedAt: now,
    lastUsedAt: null,
    liveFrom: mayChangeLive(session, now) ? now : now + WAIT_FOR_LIVE,
  };
  return untilCommitted(
    deps,
    async () => {
      const before = await readSessionUser(deps, session);
      ensureMayAdd(before, session, now);
      const after = withPasskey(before, added);
      const records = makePasskeyRecords(deps, before, {
        address: input.from.address,
        action: 'POST /passkeys',
        what: `added the passkey “${added.name}”`,
        target: added.id,
      });
      const mail = passkeyNotice(deps, before, 'added', added, { at: now, address: input.from.address });
      return (await deps.users.save({ before, after, records, ...mail })) ? { done: after } : 'conflict';
    },
    GIVE_UP_SOON,
  );
};
