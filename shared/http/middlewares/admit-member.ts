import type { Contract } from '#shared/contract/kernel/contract.ts';
import { ensureMayChange, ensureRole } from '#shared/domain/businesses/members.ts';
import { invalid, Refusal } from '#shared/domain/kernel/errors.ts';
import { type Mode, mode } from '#shared/domain/kernel/mode.ts';
import { inLagos, type Millis } from '#shared/domain/kernel/time.ts';
import { mayChangeLive, type Session, steppedUpUntil } from '#shared/domain/members/session.ts';
import { addressBlock } from '#shared/domain/requests/address-block.ts';
import { actionOf } from '#shared/http/kernel/key-author.ts';
import type { ApiDeps, ApiEvent, ApiMiddleware } from '#shared/http/kernel/types.ts';

/** The mode that the dashboard shows: no page of another site may send this header with the browser's cookie. */
const modeOf = ({ headers }: ApiEvent): Mode => {
  const given = mode.safeParse(headers['x-dashboard-mode']?.trim());
  if (given.success) return given.data;
  throw invalid({ field: 'x-dashboard-mode', message: 'The header X-Dashboard-Mode must be test or live.' });
};

/** Whether a request needs a passkey that was used in the last ten minutes. */
const needsPasskey = ({ stepUp }: Contract, asked: Mode): boolean =>
  stepUp === true || (stepUp === 'live' && asked === 'live');

/** Whether a request changes something of live mode. */
const changesLive = (contract: Contract, asked: Mode): boolean =>
  needsPasskey(contract, asked) || (asked === 'live' && contract.method !== 'GET');

/**
 * `isNeeded`: whether a passkey of the last ten minutes is needed. @throws the refusals step_up_required and passkey_too_new: a code by e-mail
 * alone is never enough to change live mode.
 */
const ensureSteppedUp = (session: Session, now: Millis, isNeeded: boolean): void => {
  if (session.liveFrom === null || (isNeeded && steppedUpUntil(session, now) === null)) {
    throw new Refusal('step_up_required');
  }
  if (!mayChangeLive(session, now)) {
    const from = inLagos(session.liveFrom);
    const message = `This passkey was added after a code alone, so it may change live mode from ${from}. Operations can confirm it earlier.`;
    throw new Refusal('passkey_too_new', { message });
  }
};

/**
 * A removed or reset passkey ends its sessions, but one of them may be missed: an index lists them, after the passkey is gone.
 * @throws the refusal step_up_required once the user does not have the passkey that was used in a session.
 */
const ensurePasskeyStands = async (
  { users }: Pick<ApiDeps, 'users'>,
  { userId, passkeyId }: Session,
): Promise<void> => {
  if (passkeyId === null) return;
  const user = await users.find(userId);
  if (!user?.passkeys.some(({ id }) => id === passkeyId)) throw new Refusal('step_up_required');
};

/**
 * Sets the caller of a request with a session: a member of the business that it names, whose role the endpoint takes. Member and role
 * are read each time, so that who was removed is refused from the next request on.
 * @throws the refusals validation_failed, business_id_required, forbidden_role, business_suspended, step_up_required,
 * passkey_too_new.
 */
export const admitMember = (contract: Contract, deps: Pick<ApiDeps, 'members' | 'users' | 'now'>): ApiMiddleware => ({
  before: async ({ event, context: { api } }) => {
    const { session } = api;
    if (!session) throw new Error('The session was not read.');
    const asked = modeOf(event);
    const businessId = event.headers['x-business-id']?.trim();
    if (!businessId) throw new Refusal('business_id_required', { message: 'The header X-Business-ID is required.' });
    const business = await deps.members.find(businessId);
    const { session: needs } = contract;
    if (!business || needs === undefined) throw new Refusal('forbidden_role');
    const { userId } = session;
    (contract.method === 'GET' ? ensureRole : ensureMayChange)(business, { userId, needs });
    if (changesLive(contract, asked)) {
      ensureSteppedUp(session, deps.now(), needsPasskey(contract, asked));
      await ensurePasskeyStands(deps, session);
    }
    api.business = business;
    api.author = {
      userId,
      email: session.email,
      mode: asked,
      needs,
      usedPasskey: needsPasskey(contract, asked),
      address: event.requestContext.http.sourceIp,
      action: actionOf(contract),
    };
    api.caller = {
      businessId,
      mode: asked,
      actor: { kind: 'user', id: userId },
      kind: 'secret',
      displayName: business.profile.displayName,
      addressBlock: addressBlock(event.requestContext.http.sourceIp),
    };
  },
});

/**
 * Asks for a passkey of the last ten minutes where a body changes what needs one in live mode, which is known once it is read.
 * @throws the refusals step_up_required and passkey_too_new.
 */
export const confirmField = <C extends Contract>(contract: C, deps: Pick<ApiDeps, 'now'>): ApiMiddleware<C> => ({
  before: ({ context: { api } }) => {
    const { liveStepUpField: field } = contract;
    const { session, author, input } = api;
    if (field === undefined || author?.mode !== 'live' || !session) return;
    const given = (input?.body as Readonly<Record<string, unknown>> | undefined)?.[field];
    if (given === undefined || given === null) return;
    ensureSteppedUp(session, deps.now(), true);
    api.author = { ...author, usedPasskey: true };
  },
});
