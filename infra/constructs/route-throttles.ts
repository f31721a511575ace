import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { type FunctionSpec, listRoutes, listSessionRoutes, type OpenRouteGroup } from '#infra/function-spec.ts';
import { THROTTLED_ROUTES } from '#infra/throttled-routes.ts';
import type { StageConcurrency } from './reserved-concurrency.ts';

/** A throttle: requests per second, and burst. */
export interface Limit {
  readonly rate: number;
  readonly burst: number;
}

/**
 * Groups of routes with a throttle. `open`: routes without a key. `slow`: routes of functions with a concurrency ceiling. `management`: no
 * checkout, account or landing waits for these routes. `dashboard`: routes for sessions.
 */
export type ThrottleGroup = 'open' | 'slow' | 'management' | 'dashboard';

/** A route with its own throttle. */
export interface ThrottledRoute extends Limit {
  readonly route: string;
  readonly group: ThrottleGroup;
}

/** The settings of a stage that decide on throttles. */
interface ThrottleSettings {
  readonly throttle: Readonly<Record<OpenRouteGroup | 'management' | 'dashboard', Limit>>;
  readonly concurrency: StageConcurrency;
  readonly mail?: object | undefined;
}

/** Requests per second that one execution answers, if the requests are quick. */
const REQUESTS_PER_EXECUTION = 20;

/**
 * Finds the throttle group of a route; undefined if the route needs a key, checkouts, accounts or landings wait for it, and its function has
 * no concurrency ceiling. Only the throttle of the whole stage applies to such a route. If a function has a concurrency ceiling, its routes
 * are in the group `slow`: the gateway answers a burst above the ceiling with 429. Without this group Lambda itself would throttle such a
 * burst and answer with a 5xx, and operators would get an alarm if this lasted. Requests with keys and requests with sessions have separate
 * routes, each with this throttle. If both come in a burst at once, Lambda still throttles.
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

/** Lists the routes of a stage that have their own throttle. */
export const throttledRoutes = ({ throttle, concurrency, mail }: ThrottleSettings): readonly ThrottledRoute[] =>
  ALL_FUNCTIONS.filter(({ isDashboard }) => mail || !isDashboard).flatMap((spec) => {
    const { trigger } = spec;
    const findLimit = (group: ThrottleGroup): Limit => {
      const { ceiling } = concurrency;
      if (group === 'slow') return { rate: REQUESTS_PER_EXECUTION * ceiling, burst: ceiling };
      return throttle[group === 'open' && trigger.kind === 'route' ? trigger.throttle : (group as 'management')];
    };
    const addThrottles = (routes: readonly string[], isForSessions: boolean) => {
      const group = findGroup(spec, isForSessions, concurrency);
      return group === undefined ? [] : routes.map((route) => ({ route, group, ...findLimit(group) }));
    };
    return [
      ...addThrottles(listRoutes(trigger), false),
      ...(mail ? addThrottles(listSessionRoutes(trigger), true) : []),
    ];
  });

const quote = (routes: readonly string[]): string => routes.map((route) => `"${route}"`).join(', ');

/**
 * Compares the routes that have a throttle with those of earlier releases: API Gateway keeps the throttle of a deleted route.
 * @throws Error that says what to do before the next deployment.
 */
export const ensureThrottledRoutesStay = (
  settings: ThrottleSettings,
  recordedRoutes: readonly string[] = THROTTLED_ROUTES,
): void => {
  // The dashboard's routes are always compared, because another stage may have the dashboard.
  const routes = throttledRoutes({ ...settings, mail: settings.mail ?? {} }).map(({ route }) => route);
  const gone = recordedRoutes.filter((route) => !routes.includes(route));
  if (gone.length > 0) {
    throw new Error(
      `The route ${quote(gone)} had a throttle and does not exist any more. API Gateway would keep the throttle and reject a later deployment. First delete the throttle in every stage (docs/operating/runbook.md, "A route with a throttle is removed"), then remove the route from infra/throttled-routes.ts.`,
    );
  }
  const added = routes.filter((route) => !recordedRoutes.includes(route));
  if (added.length > 0) {
    throw new Error(
      `Add the route ${quote(added)} to infra/throttled-routes.ts. Then its later removal cannot go unnoticed.`,
    );
  }
};
