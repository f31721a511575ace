import type { ApiDeps, ApiMiddleware, ApiResult, RequestState } from '#shared/api/http/types.ts';
import { describeDeed } from '#shared/businesses/contract/deeds.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { MemberChange } from '#shared/businesses/domain/member-change.ts';
import { ensureMayChange } from '#shared/businesses/domain/members.ts';
import { memberUsageId } from '#shared/businesses/domain/usage-limits.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { errorAnswer } from '#shared/platform/contract/errors.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';

const LOWEST_ERROR = 400;

type Deps = Pick<ApiDeps, 'usage' | 'audit' | 'log' | 'members' | 'newId' | 'now'>;

/** The most characters of a field that the audit log keeps. A valid value may have any length: a time, for example, may have thousands of digits. */
const LONGEST_FIELD = 200;

/**
 * Formats a field of the body for people. It takes the value as it was sent and not as it was parsed: an amount is in naira and not in kobo, and a
 * time keeps its time zone.
 */
const formatField = (name: string, sent: RequestState['json'] = {}): string[] => {
  const value = sent[name];
  if (value === undefined || value === null) return [];
  const text = JSON.stringify(value);
  const excerpt = text.length > LONGEST_FIELD ? `${text.slice(0, LONGEST_FIELD).toWellFormed()}…` : text;
  return [`${name.replaceAll('_', ' ')}: ${excerpt}`];
};

const listDetails = ({ recordedFields = [] }: Contract, { json }: RequestState): string[] =>
  recordedFields.flatMap((name) => formatField(name, json));

/** The reason why a request did nothing, as its answer gives it. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

/** Finds the reason why a request with this error did nothing; undefined if the request may have done something. */
const findReason = (error: unknown): Reason | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  const { status, message } = errorAnswer(error.code);
  return status < 500 ? { code: error.code, message: error.details.message ?? message } : undefined;
};

const isError = ({ statusCode }: ApiResult): boolean => statusCode >= LOWEST_ERROR;

/**
 * Reads the outcome of an answered request: `done`; the reason, if the answer is an error; or `unknown`, if the answer is an error although
 * something was created.
 */
const readOutcome = (
  response: ApiResult | null | undefined,
  createdIds: readonly string[],
): 'done' | 'unknown' | Reason => {
  if (!response || !isError(response)) return 'done';
  return createdIds.length > 0 ? 'unknown' : (JSON.parse(response.body) as Reason);
};

/** The errors that the audit log leaves out, because the request was mistyped or came too often. */
const UNRECORDED_CODES: ReadonlySet<string> = new Set(['validation_failed', 'rate_limited']);

/**
 * Makes the audit log's entry of a request that failed; undefined if the audit log leaves the request out. It leaves out the errors in
 * UNRECORDED_CODES, and a member's errors beyond the hourly limit `refused_change`, so that nobody fills the audit log by repeating a request.
 * Without a `reason` the entry says that the outcome is unknown.
 */
const makeFailedEntry = async (
  deps: Deps,
  contract: Contract,
  api: RequestState,
  reason: Reason | undefined,
): Promise<MemberChange | undefined> => {
  const { draft } = api;
  if (!draft) return undefined;
  if (!reason) return { ...draft, outcome: 'unknown' };
  const { businessId, userId } = draft;
  if (UNRECORDED_CODES.has(reason.code)) return undefined;
  if (!(await deps.usage.take(memberUsageId(businessId, userId), 'refused_change', deps.now()))) return undefined;
  const details = listDetails(contract, api);
  const what = describeDeed(draft.action, 'refused', { details, why: reason.message });
  return { ...draft, what, outcome: 'refused', error: reason.code };
};

/**
 * Runs `work`, and only logs its failure: the draft stays. If somebody lists the audit log a minute later or more, the draft becomes an entry with
 * an unknown outcome.
 */
const logFailure = async ({ log }: Pick<ApiDeps, 'log'>, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    log('work_failed', { kind: 'audit' }, error);
  }
};

/** Maximum number of tries to write a record if the business changes at the same time. After that the caller is told to retry. */
const MAX_CONFLICTS = 10;

/** Records the request of a member. @throws ApiError `forbidden_role`, `business_suspended`, `service_unavailable`. */
const openRecord = async (deps: Deps, entry: MemberChange, admittedTo: Business): Promise<void> => {
  let business: Business | undefined = admittedTo;
  for (let conflicts = 0; business && conflicts < MAX_CONFLICTS; conflicts += 1) {
    ensureMayChange(business, entry);
    if (await deps.audit.open(entry, business)) return;
    business = await deps.members.find(entry.businessId);
  }
  throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
};

/**
 * Records the request of a member before the work, so that no change lacks its record, and its outcome after the work. The record is written only
 * if the business has not changed since it was read; otherwise the business is read again, and the member's role is checked again. So a member who
 * has just been removed can begin nothing. If the use case records the change itself (`isRecorded`), only errors are recorded here.
 * @throws ApiError `forbidden_role`, `business_suspended`; `service_unavailable` if concurrent changes outlast every attempt.
 */
export const recordAction = <C extends Contract>(contract: C, deps: Deps): ApiMiddleware<C> => ({
  before: async ({ context: { api } }) => {
    const { input, admission: { author, business } = {} } = api;
    if (contract.method === 'GET' || !author || !business) return;
    const target = Object.values(input?.params ?? {})
      .map(String)
      .join(' ');
    const what = describeDeed(author.action, 'unknown', { details: listDetails(contract, api) });
    const draft = { ...author, id: deps.newId('log'), businessId: business.id, at: deps.now(), what, target };
    if (!contract.isRecorded) await openRecord(deps, draft, business);
    api.draft = draft;
  },
  after: async ({ context: { api }, response }) => {
    const { draft, changedIds = [] } = api;
    if (!draft || contract.isRecorded) return;
    const createdIds = changedIds.filter((id) => !draft.target.includes(id));
    const target = draft.target === '' ? createdIds.join(' ') : draft.target;
    const result = readOutcome(response, createdIds);
    await logFailure(deps, async () => {
      if (result === 'unknown') return deps.audit.close(draft, { ...draft, target, outcome: result });
      if (result !== 'done') return deps.audit.close(draft, await makeFailedEntry(deps, contract, api, result));
      const what = describeDeed(draft.action, result, { details: listDetails(contract, api) });
      return deps.audit.close(draft, { ...draft, what, target });
    });
  },
  onError: async ({ context: { api }, error }) => {
    const { draft } = api;
    if (!draft) return;
    await logFailure(deps, async () => {
      const entry = await makeFailedEntry(deps, contract, api, findReason(error));
      if (!contract.isRecorded) await deps.audit.close(draft, entry);
      else if (entry?.outcome === 'refused') await deps.audit.add(entry);
    });
  },
});
