import type { AuditEntry, Author, KeyAuthor } from '#shared/businesses/domain/member-change.ts';
import type { OperatorChange } from '#shared/businesses/domain/operator-change.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/** Who changes a business: an operator, by the identity at AWS, or a member. */
export type OperatorOrMember = string | Author;
/** The same where a key may do it too; undefined for a test key, of which nothing is recorded. */
export type Actor = OperatorOrMember | KeyAuthor | undefined;

/** Whether an actor is an operator, whom no limit of a business limits. */
export const isOperator = (actor: Actor): actor is string => typeof actor === 'string';

/** Whom a change is by, as its business is shown: no operator's name. */
export const formatActor = (actor: OperatorOrMember): string =>
  typeof actor === 'string' ? 'operations' : actor.email;

/** A record of a change, as operators' log or the business's own has it. */
export type ChangeRecord = OperatorChange | AuditEntry;

/** Makes the record of a change from what it did. */
export type Recorder = (what: string) => ChangeRecord;

/** The record of a change: of operators, or of the business's own audit log. `target`: the ids that were named. */
export const makeChangeRecord = (
  deps: Pick<Runtime, 'now' | 'newId'>,
  {
    businessId,
    who: actor,
    target = '',
  }: { readonly businessId: string; readonly who: NonNullable<Actor>; readonly target?: string },
  what: string,
): ChangeRecord => {
  const common = { id: deps.newId('log'), businessId, at: deps.now(), what };
  if (typeof actor !== 'string') return { ...common, ...actor, target };
  // An operator's command names a key by its id, and the sentence does by what its business sees.
  return { ...common, what: target.startsWith('key_') ? `${what} (${target})` : what, who: actor };
};

/** Makes the records of one request; undefined for one with a test key, which has none. */
export const makeRecorder = (
  deps: Pick<Runtime, 'now' | 'newId'>,
  { businessId, who: actor, target }: { readonly businessId: string; readonly who: Actor; readonly target?: string },
): Recorder | undefined =>
  actor === undefined
    ? undefined
    : (what) => makeChangeRecord(deps, { businessId, who: actor, ...(target !== undefined && { target }) }, what);
