import type { AuditEntry, Author, KeyAuthor } from '#shared/businesses/domain/member-change.ts';
import type { OperatorChange } from '#shared/businesses/domain/operator-change.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/** The author of a change of a business: an operator, by the identity at AWS, or a member. */
export type OperatorOrMember = string | Author;
/** The author of a change: an operator, a member, or a live key; undefined for a test key, whose changes are not recorded. */
export type Actor = OperatorOrMember | KeyAuthor | undefined;

/** Checks whether an actor is an operator, for whom a business's limits do not count. */
export const isOperator = (actor: Actor): actor is string => typeof actor === 'string';

/** Names the author of a change for the business. An operator's name is not shown. */
export const formatActor = (actor: OperatorOrMember): string =>
  typeof actor === 'string' ? 'operations' : actor.email;

/** A record of a change: in the operators' log, or in the business's own audit log. */
export type ChangeRecord = OperatorChange | AuditEntry;

/** Makes the record of a change from its description. */
export type Recorder = (what: string) => ChangeRecord;

/** Makes the record of a change, for the operators' log or for the business's own audit log. `target`: the ids that the request named. */
export const makeChangeRecord = (
  deps: Pick<Runtime, 'now' | 'newId'>,
  {
    businessId,
    actor,
    target = '',
  }: { readonly businessId: string; readonly actor: NonNullable<Actor>; readonly target?: string },
  what: string,
): ChangeRecord => {
  const common = { id: deps.newId('log'), businessId, at: deps.now(), what };
  if (typeof actor !== 'string') return { ...common, ...actor, target };
  // The description names a key as its business sees it. Operators need its id as well.
  return { ...common, what: target.startsWith('key_') ? `${what} (${target})` : what, who: actor };
};

/** Makes a recorder for one request; undefined for a test key, whose changes are not recorded. */
export const makeRecorder = (
  deps: Pick<Runtime, 'now' | 'newId'>,
  { businessId, actor, target }: { readonly businessId: string; readonly actor: Actor; readonly target?: string },
): Recorder | undefined =>
  actor === undefined
    ? undefined
    : (what) => makeChangeRecord(deps, { businessId, actor, ...(target !== undefined && { target }) }, what);
