import type * as z from 'zod/mini';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { QueueLane } from './lanes.ts';
import type { TableRights } from './table-rights.ts';

/** An action on a queue: of deliveries, of money work, or of sign-in codes. */
export type QueueAction = 'SendMessage';

/** Groups of routes that need no key, by purpose. Each route has its own throttle, so a flood on one route does not affect the others. */
export type OpenRouteGroup = 'notifications' | 'health' | 'pages' | 'payers' | 'payersForms' | 'logos' | 'otherPaths';

/** Routes of payment pages (which need the page link), of their logos, and of the widget. They are not part of the API or its document. */
export type PayersRoute =
  | 'GET /pay/{link}'
  | 'GET /pay/{link}/status'
  | 'POST /pay/{link}/sent'
  | 'POST /pay/{link}/another-account'
  | 'POST /pay/{link}/simulate'
  | 'GET /logos/{id}'
  | 'GET /widget/v1.js';

/** The routes of the dashboard's page: the page is the same at every path. */
export type DashboardRoute = 'GET /dashboard' | 'GET /dashboard/{proxy+}';

/** The route of every documentation page but the first. The API document names only the route of the first page, `GET /docs`. */
export type DocsRoute = 'GET /docs/{proxy+}';

/** A route that needs no key. */
export interface RouteTrigger {
  readonly kind: 'route';
  /** `$default` stands for every path without a route. */
  readonly route:
    | 'GET /health'
    | 'GET /docs'
    | 'GET /api/v1/openapi.json'
    | 'GET /api/v1/openapi.yaml'
    | 'GET /api/v1/postman.json'
    | 'GET /llms.txt'
    | 'POST /providers/{provider}/notifications'
    | PayersRoute
    | DashboardRoute
    | '$default';
  readonly throttle: OpenRouteGroup;
  /** Whether the function also answers HEAD requests. */
  readonly alsoHead?: true;
  /** Another route to the same function. */
  readonly also?: DashboardRoute | DocsRoute;
}

/** The trigger of a function: an endpoint, a route without a key, queues of deliveries or money work, the queue of codes, or a schedule. */
export type Trigger =
  | { readonly kind: 'endpoint'; readonly contract: Contract }
  | RouteTrigger
  | { readonly kind: 'queue'; readonly lanes: readonly QueueLane[]; readonly batchSize: number }
  | { readonly kind: 'mails'; readonly batchSize: number }
  | {
      readonly kind: 'schedule';
      readonly everySeconds: number;
      /** Whether several runs may share the work (`concurrency.sweeps`). */
      readonly isShared?: true;
    };

/** Whether a route serves pages for people. Such routes are not part of the API or its document. */
export const isPageRoute = (route: string): route is PayersRoute | DashboardRoute | DocsRoute =>
  isPayersRoute(route) || /^GET \/(dashboard|docs\/)/.test(route);

export const isPayersRoute = (route: string): route is PayersRoute => / \/(pay|logos|widget)\//.test(route);

/** Lists the routes of a trigger in the format of API Gateway; none for queues and schedules. */
export const listRoutes = (trigger: Trigger): readonly string[] => {
  if (trigger.kind === 'endpoint') return [`${trigger.contract.method} ${trigger.contract.path}`];
  if (trigger.kind !== 'route') return [];
  return [
    trigger.route,
    ...(trigger.alsoHead ? [trigger.route.replace('GET', 'HEAD')] : []),
    ...(trigger.also ? [trigger.also] : []),
  ];
};

/** Lists the route for sessions of an endpoint that also takes keys (decisions/0031-dashboard-sessions.md); none for other triggers. */
export const listSessionRoutes = (trigger: Trigger): readonly string[] => {
  if (trigger.kind !== 'endpoint' || trigger.contract.session === undefined) return [];
  const { method, path, keys } = trigger.contract;
  return keys.length === 0 ? [] : [`${method} ${path.replace('/api/', '/api/dashboard/')}`];
};

/** A function of the manifest (functions.ts). */
export interface FunctionSpec {
  /** The folder under `functions/`. */
  readonly name: string;
  readonly trigger: Trigger;
  /** The schema of its environment variables, from the `env.ts` of its capability. */
  readonly env: z.ZodMiniType;
  /** Exactly the actions on the table that the function uses (table-rights.ts). */
  readonly table: TableRights;
  /** Exactly the actions on queues that the function uses. */
  readonly queue: readonly QueueAction[];
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Whether the function is not needed to take money. Its routes then have throttles, so that enough executions are left for money. */
  readonly isManagement?: true;
  /** Whether a request can last seconds. Then the function has a concurrency ceiling: a throttle alone counts requests, not their duration. */
  readonly isSlow?: true;
  /** Whether the function is only for the dashboard. Its routes then have throttles, because anybody may ask for a sign-in code. */
  readonly isDashboard?: true;
}
