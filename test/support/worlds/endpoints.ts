import { FUNCTIONS } from '#infra/functions.ts';
import { makeDocument } from '#infra/openapi/document.ts';
import type { Contract } from '#shared/contract/kernel/contract.ts';

/** Every endpoint that takes a key, as the manifest has them: a new one is in every test that walks over these. */
export const ENDPOINTS: readonly Contract[] = FUNCTIONS.flatMap(({ trigger }) =>
  trigger.kind === 'endpoint' ? [trigger.contract] : [],
);

/** The routes that take no key, `$default` apart: `GET /health`. */
export const OPEN_ROUTES: readonly string[] = FUNCTIONS.flatMap(({ trigger }) =>
  trigger.kind === 'route' && trigger.route !== '$default' ? [trigger.route] : [],
);

/** How API Gateway writes a route. */
export const routeOf = ({ method, path }: Contract): string => `${method} ${path}`;

/** The things that a path names by id. */
export type Thing = 'virtual_account' | 'checkout' | 'webhook_endpoint' | 'event';

const THING_BELOW: Readonly<Record<string, Thing>> = {
  '/api/v1/virtual-accounts/{id}': 'virtual_account',
  '/api/v1/checkout/verify/{reference}': 'checkout',
  '/api/v1/webhook-endpoints/{id}': 'webhook_endpoint',
  '/api/v1/events/{id}': 'event',
};

/**
 * What the id in an endpoint's path names; undefined where the path has none.
 * @throws Error for a path that this table does not know: a new kind of thing needs a line in it.
 */
export const resourceOf = ({ path }: Contract): Thing | undefined => {
  const upTo = /^.*?\{\w+\}/.exec(path)?.[0];
  if (upTo === undefined) return undefined;
  const thing = THING_BELOW[upTo];
  if (!thing) throw new Error(`Say in test/support/worlds/endpoints.ts what the id in ${path} names.`);
  return thing;
};

/** The path with an id, or whatever stands for one, in its place. */
export const pathTo = ({ path }: Contract, id: string): string => path.replace(/\{\w+\}/, () => id);

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON of any shape.
const document = makeDocument() as any;

/** The first example of a request that the API document shows for an endpoint; undefined where it takes no body. */
export const exampleBody = ({ method, path }: Contract): Record<string, unknown> | undefined => {
  const examples = document.paths[path][method.toLowerCase()].requestBody?.content['application/json'].examples;
  return examples && structuredClone(Object.values<{ value: Record<string, unknown> }>(examples)[0]?.value);
};
