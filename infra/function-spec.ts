import type * as z from 'zod/mini';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { QueueLane } from './lanes.ts';
import type { TableRights } from './table-rights.ts';

/** What a function may do with a delivery queue. */
export type QueueAction = 'SendMessage';

/**
 * Routes that need no key, by what they are for. Each has a throttle of its own in every stage, so that a flood of one leaves the others.
 */
export type OpenRoutes = 'notifications' | 'health' | 'pages' | 'payers' | 'payersForms' | 'logos' | 'otherPaths';

/** Routes of a payer's page, which its link admits, of the logos on it, and of its widget. They are no part of the API, and its document does not name them. */
export type PayersRoute =
  | 'GET /pay/{link}'
  | 'GET /pay/{link}/status'
  | 'POST /pay/{link}/sent'
  | 'POST /pay/{link}/another-account'
  | 'POST /pay/{link}/simulate'
  | 'GET /logos/{id}'
  | 'GET /widget/v1.js';

/** The dashboard's page, under every path of its screens. */
export type DashboardRoute = 'GET /dashboard' | 'GET /dashboard/{proxy+}';

/** The pages of the documentation below its first. The document names the first alone. */
export type DocsRoute = 'GET /docs/{proxy+}';

/** A route that needs no key. */
export interface RouteTrigger {
  readonly kind: 'route';
  /** `$default` is every path that no other route has. */
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
  readonly throttle: OpenRoutes;
  /** Whether a HEAD request is answered too, without the body. */
  readonly alsoHead?: true;
  /** Another route to the same function. */
  readonly also?: DashboardRoute | DocsRoute;
}

/** What calls a function: an endpoint, a route without a key, queues of deliveries or of money work, the queue of codes, or the clock. */
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

/** Whether a route serves people: it is no part of the API, and its document does not name it. */
export const isPageRoute = (route: string): route is PayersRoute | DashboardRoute | DocsRoute =>
  isPayersRoute(route) || /^GET \/(dashboard|docs\/)/.test(route);

export const isPayersRoute = (route: string): route is PayersRoute => / \/(pay|logos|widget)\//.test(route);

/** The routes of a trigger, as API Gateway writes them; none for what no request calls. */
export const listRoutes = (trigger: Trigger): readonly string[] => {
  if (trigger.kind === 'endpoint') return [`${trigger.contract.method} ${trigger.contract.path}`];
  if (trigger.kind !== 'route') return [];
  return [
    trigger.route,
    ...(trigger.alsoHead ? [trigger.route.replace('GET', 'HEAD')] : []),
    ...(trigger.also ? [trigger.also] : []),
  ];
};

/** The route by which sessions call an endpoint that keys call too (decisions/0031-dashboard-sessions.md); none for any other trigger. */
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
  /** The schema of its environment, in the `env.ts` of its capability. */
  readonly env: z.ZodMiniType;
  /** What it may do with the table (table-rights.ts), and with the delivery queue: exactly what it does. */
  readonly table: TableRights;
  readonly queue: readonly QueueAction[];
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Not needed to take money: its routes have throttles, so that it takes little from what is. */
  readonly isManagement?: true;
  /** Its request can last seconds: it has a ceiling of concurrency of its own too, since a throttle counts requests and not how long they last. */
  readonly isSlow?: true;
  /** Of the dashboard alone, whose routes have throttles too: anybody may ask it for a code. */
  readonly isDashboard?: true;
}
