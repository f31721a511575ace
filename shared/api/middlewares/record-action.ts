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

/** Characters of a field that the log keeps: what a field means may be written at any length, such as a time with thousands of digits. */
const LONGEST_FIELD = 200;

/** A field of a request as it was sent, which is as people read it: naira, and a time with its zone. */
const formatField = (name: string, sent: RequestState['json'] = {}): string[] => {
  const value = sent[name];
  if (value === undefined || value === null) return [];
  const text = JSON.stringify(value);
  const excerpt = text.length > LONGEST_FIELD ? `${text.slice(0, LONGEST_FIELD).toWellFormed()}…` : text;
  return [`${name.replaceAll('_', ' ')}: ${excerpt}`];
};

const listDetails = ({ recordedFields = [] }: Contract, { json }: RequestState): string[] =>
  recordedFields.flatMap((name) => formatField(name, json));

/** Why nothing was done. */
interface Why {
  readonly code: string;
  readonly message: string;
}

/** Why nothing was done for an error; undefined where something may have been. */
const errorIn = (error: unknown): Why | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  const { status, message } = errorAnswer(error.code);
  return status < 500 ? { code: error.code, message: error.details.message ?? message } : undefined;
};

const isError = ({ statusCode }: ApiResult): boolean => statusCode >= LOWEST_ERROR;

/** What came of a request that was answered: done; the reason of a refusal; or unknown, where an error made something all the same. */
const readOutcome = (
  response: ApiResult | null | undefined,
  createdIds: readonly string[],
): 'done' | 'unknown' | Why => {
  if (!response || !isError(response)) return 'done';
  return createdIds.length > 0 ? 'unknown' : (JSON.parse(response.body) as Why);
};

/** What is mistyped, or comes too often, was never decided on. */
const UNRECORDED: ReadonlySet<string> = new Set(['validation_failed', 'rate_limited']);

/**
 * What the log says of a request that failed; undefined where nothing was done and nothing is kept: what was mistyped, and beyond what a
 * member may be refused in an hour, so that nobody fills a log by repeating it.
 */
const failed = async (
  deps: Deps,
  contract: Contract,
  api: RequestState,
  error: Why | undefined,
): Promise<MemberChange | undefined> => {
  const { draft } = api;
  if (!draft) return undefined;
  if (!error) return { ...draft, outcome: 'unknown' };
  const { businessId, userId } = draft;
  if (UNRECORDED.has(error.code)) return undefined;
  if (!(await deps.usage.take(memberUsageId(businessId, userId), 'refused_change', deps.now()))) return undefined;
  const details = listDetails(contract, api);
  const what = describeDeed(draft.action, 'refused', { details, why: error.message });
  return { ...draft, what, outcome: 'refused', error: error.code };
};

/** A failure is only logged: what was asked for is an entry a minute later, whatever became of it. */
const logged = async ({ log }: Pick<ApiDeps, 'log'>, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    log('work_failed', { kind: 'audit' }, error);
  }
};

/** How often a record is decided anew, after other changes of the business; then the request is told to come again. */
const MAX_CONFLICTS = 10;

/** Writes down what a member asks for. @throws the refusals forbidden_role, business_suspended, service_unavailable. */
const open = async (deps: Deps, entry: MemberChange, admittedTo: Business): Promise<void> => {
  let business: Business | undefined = admittedTo;
  for (let conflicts = 0; business && conflicts < MAX_CONFLICTS; conflicts += 1) {
    ensureMayChange(business, entry);
    if (await deps.audit.open(entry, business)) return;
    business = await deps.members.find(entry.businessId);
  }
  throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
};

/**
 * Records what a member asks for, before the work, so that no change is without its record, and after it what came of it. The record is
 * written on condition of the business that admits its author, so nothing of a member is begun after the member's removal. Where the use
 * case records the change itself, only what is refused is recorded here (decisions/0031-dashboard-sessions.md).
 * @throws the refusals forbidden_role, business_suspended; service_unavailable when concurrent changes outlast every attempt.
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
    if (!contract.isRecorded) await open(deps, draft, business);
    api.draft = draft;
  },
  after: async ({ context: { api }, response }) => {
    const { draft, changedIds = [] } = api;
    if (!draft || contract.isRecorded) return;
    const createdIds = changedIds.filter((id) => !draft.target.includes(id));
    const target = draft.target === '' ? createdIds.join(' ') : draft.target;
    const result = readOutcome(response, createdIds);
    await logged(deps, async () => {
      if (result === 'unknown') return deps.audit.close(draft, { ...draft, target, outcome: result });
      if (result !== 'done') return deps.audit.close(draft, await failed(deps, contract, api, result));
      const what = describeDeed(draft.action, result, { details: listDetails(contract, api) });
      return deps.audit.close(draft, { ...draft, what, target });
    });
  },
  onError: async ({ context: { api }, error }) => {
    const { draft } = api;
    if (!draft) return;
    await logged(deps, async () => {
      const entry = await failed(deps, contract, api, errorIn(error));
      if (!contract.isRecorded) await deps.audit.close(draft, entry);
      else if (entry?.outcome === 'refused') await deps.audit.add(entry);
    });
  },
});
