import { formatAction } from '#shared/api/http/key-author.ts';
import type { Admission, ApiDeps, ApiEvent, ApiMiddleware } from '#shared/api/http/types.ts';
import { ensureMayChange, ensureRole } from '#shared/businesses/domain/members.ts';
import { mayChangeLive, type Session, steppedUpUntil } from '#shared/members/domain/session.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { ApiError, invalid, KeyError } from '#shared/platform/kernel/errors.ts';
import { type Mode, mode as modeSchema } from '#shared/platform/kernel/mode.ts';
import { inLagos, type Millis } from '#shared/platform/kernel/time.ts';
import { addressBlock } from '#shared/platform/requests/address-block.ts';
import { isOver, secondsLeft } from '#shared/platform/requests/rate-limit.ts';
import type { Admit } from './admission.ts';
import { admitSession } from './admit-session.ts';
import { readRecord } from './idempotency.ts';

/** The requests that a member may send a second. A screen of the dashboard sends a few at once. */
const MEMBER_QUOTA = 50;

/** Reads the mode that the dashboard shows. No page of another site can send this header with the browser's cookie. */
const readMode = ({ headers }: ApiEvent): Mode => {
  const parsed = modeSchema.safeParse(headers['x-dashboard-mode']?.trim());
  if (parsed.success) return parsed.data;
  throw invalid({ field: 'x-dashboard-mode', message: 'The header X-Dashboard-Mode must be test or live.' });
};

/** Checks whether the contract asks, in this mode, for a passkey that was used in the last ten minutes. */
const needsPasskey = ({ stepUp }: Contract, mode: Mode): boolean =>
  stepUp === true || (stepUp === 'live' && mode === 'live');

/**
 * Checks that a session may make a request that needs a passkey. The session must have begun with a passkey (`liveFrom` is null if it began with a
 * code, or if a passkey was removed in it), and the time `liveFrom` must have come. If `mustBeRecent`, the passkey must have been used in the last
 * ten minutes. @throws ApiError `step_up_required`, `passkey_too_new`.
 */
const ensureSteppedUp = (session: Session, now: Millis, mustBeRecent: boolean): void => {
  if (session.liveFrom === null || (mustBeRecent && steppedUpUntil(session, now) === null)) {
    throw new ApiError('step_up_required');
  }
  if (!mayChangeLive(session, now)) {
    const from = inLagos(session.liveFrom);
    const message = `This passkey is new and was added without another passkey. It can change live mode from ${from}. Operations can confirm it earlier.`;
    throw new ApiError('passkey_too_new', { message });
  }
};

/**
 * Checks that the session's passkey still exists. Removing a passkey ends the user's other sessions, but the index that finds these sessions may
 * miss one.
 * @throws ApiError `step_up_required` if the user no longer has the passkey that was used in the session.
 */
const ensurePasskeyExists = async (
  { users }: Pick<ApiDeps, 'users'>,
  { userId, passkeyId }: Session,
): Promise<void> => {
  if (passkeyId === null) return;
  const user = await users.find(userId);
  if (!user?.passkeys.some(({ id }) => id === passkeyId)) throw new ApiError('step_up_required');
};

/**
 * Admits a session's request to a business, in this order: mode, business, role, passkey, mode of the endpoint, rate. It reads the business
 * with its members and roles each time, so a removed member is refused from the next request on.
 * @throws ApiError `validation_failed`, `business_id_required`, `forbidden_role`, `business_suspended`, `step_up_required`,
 * `passkey_too_new`, `simulation_requires_test_key`, `rate_limited`.
 */
const admitToBusiness = async (
  contract: Contract,
  deps: Pick<ApiDeps, 'members' | 'users' | 'countRequest' | 'idempotency' | 'now'>,
  event: ApiEvent,
  session: Session,
): Promise<Admission> => {
  const { userId, email } = session;
  const { sourceIp } = event.requestContext.http;
  const mode = readMode(event);
  const businessId = event.headers['x-business-id']?.trim();
  if (!businessId) throw new ApiError('business_id_required', { message: 'The header X-Business-ID is required.' });

  const business = await deps.members.find(businessId);
  const { session: needs } = contract;
  if (!business || needs === undefined) throw new ApiError('forbidden_role');
  (contract.method === 'GET' ? ensureRole : ensureMayChange)(business, { userId, needs });

  const usedPasskey = needsPasskey(contract, mode);
  if (usedPasskey || (mode === 'live' && contract.method !== 'GET')) {
    ensureSteppedUp(session, deps.now(), usedPasskey);
    await ensurePasskeyExists(deps, session);
  }
  if (contract.testOnly && mode !== 'test') throw new ApiError('simulation_requires_test_key');

  const caller = {
    businessId,
    mode,
    actor: { kind: 'user', id: userId },
    kind: 'secret',
    displayName: business.profile.displayName,
    isRouted: business.profile.isRouted,
    addressBlock: addressBlock(sourceIp),
  } as const;
  // The Idempotency-Key's record and the count need only the caller, so they run side by side.
  const record = readRecord(contract, deps, event, caller);
  const used = await deps.countRequest({ name: 'member', bucket: userId, quota: MEMBER_QUOTA }, deps.now());
  if (isOver(used)) throw new KeyError('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });
  const author = { userId, email, mode, needs, usedPasskey, address: sourceIp, action: formatAction(contract) };
  return { session, business, author, caller, record };
};

/** Makes the admission of members who are signed in. An error is returned together with the session, because the log names the user. */
export const admitMember = (
  contract: Contract,
  deps: Pick<ApiDeps, 'sessions' | 'members' | 'users' | 'countRequest' | 'idempotency' | 'now'>,
): Admit => {
  const admitSignedIn = admitSession(deps);
  return async (event) => {
    const admission = await admitSignedIn(event);
    const { session } = admission;
    if (!session) return admission;
    try {
      return await admitToBusiness(contract, deps, event, session);
    } catch (error) {
      if (error instanceof ApiError) return { session, error };
      throw error;
    }
  };
};

/**
 * Requires that a passkey was used in the last ten minutes if the body of a live request has the contract's `liveStepUpField`. Runs after
 * validation.
 * @throws ApiError `step_up_required`, `passkey_too_new`.
 */
export const confirmField = <C extends Contract>(contract: C, deps: Pick<ApiDeps, 'now'>): ApiMiddleware<C> => ({
  before: ({ context: { api } }) => {
    const { liveStepUpField: field } = contract;
    const { session, author } = api.admission ?? {};
    if (field === undefined || author?.mode !== 'live' || !session) return;
    const value = (api.input?.body as Readonly<Record<string, unknown>> | undefined)?.[field];
    if (value === undefined || value === null) return;
    ensureSteppedUp(session, deps.now(), true);
    api.admission = { ...api.admission, author: { ...author, usedPasskey: true } };
  },
});
