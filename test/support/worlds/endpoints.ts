import { isPayersRoute } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { makeDocument } from '#infra/openapi/document.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';

/** Every endpoint of the manifest that takes a key. Tests over these include a new endpoint automatically. */
export const ENDPOINTS: readonly Contract[] = FUNCTIONS.flatMap(({ trigger }) =>
  trigger.kind === 'endpoint' ? [trigger.contract] : [],
);

/** The routes of the API without a key, except `$default`. */
export const OPEN_ROUTES: readonly string[] = FUNCTIONS.flatMap(({ trigger }) =>
  trigger.kind === 'route' && trigger.route !== '$default' && !isPayersRoute(trigger.route) ? [trigger.route] : [],
);

/** The routes of payment pages and their widget. */
export const PAGE_ROUTES: readonly string[] = FUNCTIONS.flatMap(({ trigger }) =>
  trigger.kind === 'route' && isPayersRoute(trigger.route) ? [trigger.route] : [],
);

/** Writes a route as API Gateway does. */
export const formatRoute = ({ method, path }: Contract): string => `${method} ${path}`;

/** The resources that a path names by id. */
export type Resource = 'virtual_account' | 'checkout' | 'payment' | 'webhook_endpoint' | 'event';

const RESOURCE_BY_PATH: Readonly<Record<string, Resource>> = {
  '/api/v1/virtual-accounts/{id}': 'virtual_account',
  '/api/v1/checkout/verify/{reference}': 'checkout',
  '/api/v1/checkouts/{reference}': 'checkout',
  '/api/v1/payments/{id}': 'payment',
  '/api/v1/webhook-endpoints/{id}': 'webhook_endpoint',
  '/api/v1/events/{id}': 'event',
};

/**
 * Finds the resource that the id in an endpoint's path names; undefined if the path has no id.
 * @throws Error for an unknown path: add a line to this table for a new kind of resource.
 */
export const findResource = ({ path }: Contract): Resource | undefined => {
  const pathToId = /^.*?\{\w+\}/.exec(path)?.[0];
  if (pathToId === undefined) return undefined;
  const resource = RESOURCE_BY_PATH[pathToId];
  if (!resource) throw new Error(`Add to test/support/worlds/endpoints.ts which resource the id in ${path} names.`);
  return resource;
};

/** Replaces the parameter of a path with an id. */
export const pathTo = ({ path }: Contract, id: string): string => path.replace(/\{\w+\}/, () => id);

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON of any shape.
const document = makeDocument() as any;

/** Finds the first example of a request in the API document; undefined if the endpoint takes no body. */
export const exampleBody = ({ method, path }: Contract): Record<string, unknown> | undefined => {
  const examples = document.paths[path][method.toLowerCase()].requestBody?.content['application/json'].examples;
  return examples && structuredClone(Object.values<{ value: Record<string, unknown> }>(examples)[0]?.value);
};
