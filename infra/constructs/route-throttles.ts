import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { type FunctionSpec, listRoutes, listSessionRoutes, type OpenRoutes } from '#infra/function-spec.ts';
import { THROTTLED_ROUTES } from '#infra/throttled-routes.ts';
import type { StageConcurrency } from './reserved-concurrency.ts';

/** Requests a second, and at once. */
export interface Limit {
  readonly rate: number;
  readonly burst: number;
}

/** Who has a throttle: routes that need no key, and, of endpoints, what is slow, and what no checkout, account or landing waits for. */
export type ThrottleGroup = 'open' | 'slow' | 'management' | 'dashboard';

/** A route with a throttle of its own. */
export interface ThrottledRoute extends Limit {
  readonly route: string;
  readonly group: ThrottleGroup;
}

/** What of a stage's settings decides. */
interface Stage {
  readonly throttle: Readonly<Record<OpenRoutes | 'management' | 'dashboard', Limit>>;
  readonly concurrency: StageConcurrency;
  readonly mail?: object | undefined;
}

/** Requests a second that one execution of a quick request answers. */
const PER_EXECUTION = 20;

/**
 * The group of a route; undefined for an endpoint that takes money with a key, which has the stage's own throttle. Where a function has a
 * ceiling of concurrency, the gateway refuses a burst above it with 429: Lambda would refuse it with a 5xx, and throttles that go on call
 * operators. Keys and sessions have a route each, so only where both send a burst at once does Lambda refuse.
 */
const findGroup = (
  spec: FunctionSpec,
  isForSessions: boolean,
  { reserved }: StageConcurrency,
): ThrottleGroup | undefined => {
  if (spec.trigger.kind === 'route') return 'open';
  if (spec.isSlow && reserved) return 'slow';
  if (spec.isDashboard || isForSessions) return 'dashboard';
  return spec.isManagement ? 'management' : undefined;
};

/** Every route of a stage that has a throttle of its own. */
export const throttledRoutes = ({ throttle, concurrency, mail }: Stage): readonly ThrottledRoute[] =>
  ALL_FUNCTIONS.filter(({ isDashboard }) => mail || !isDashboard).flatMap((spec) => {
    const { trigger } = spec;
    const findLimit = (group: ThrottleGroup): Limit => {
      const { ceiling } = concurrency;
      if (group === 'slow') return { rate: PER_EXECUTION * ceiling, burst: ceiling };
      return throttle[group === 'open' && trigger.kind === 'route' ? trigger.throttle : (group as 'management')];
    };
    const own = (routes: readonly string[], isForSessions: boolean) => {
      const group = findGroup(spec, isForSessions, concurrency);
      return group === undefined ? [] : routes.map((route) => ({ route, group, ...findLimit(group) }));
    };
    return [...own(listRoutes(trigger), false), ...(mail ? own(listSessionRoutes(trigger), true) : [])];
  });

const quoted = (routes: readonly string[]): string => routes.map((route) => `"${route}"`).join(', ');

/**
 * Compares the routes that have a throttle with those that had one before: API Gateway keeps the throttle of a route that is gone.
 * @throws Error with one sentence that says what to do before the next deployment.
 */
export const ensureThrottledRoutesStay = (stage: Stage, listed: readonly string[] = THROTTLED_ROUTES): void => {
  // Those of the dashboard too, which another stage may have.
  const routes = throttledRoutes({ ...stage, mail: stage.mail ?? {} }).map(({ route }) => route);
  const gone = listed.filter((route) => !routes.includes(route));
  if (gone.length > 0) {
    throw new Error(
      `The route ${quoted(gone)} had a throttle and is gone: API Gateway would keep the throttle and refuse a later deployment. Delete it in every stage first (docs/operating/runbook.md, "A route goes that has a throttle"), then take the route out of infra/throttled-routes.ts.`,
    );
  }
  const added = routes.filter((route) => !listed.includes(route));
  if (added.length > 0) {
    throw new Error(
      `Add the route ${quoted(added)} to infra/throttled-routes.ts, so that it cannot go unnoticed one day.`,
    );
  }
};
