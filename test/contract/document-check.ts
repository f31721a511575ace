import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { type JsonSchema, mapSchema } from '#infra/openapi/tidy.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document, and fail if it is not there.
export type Document = any;

// ajv-formats is CommonJS: its types have the function one level deeper than it is in Node.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Headers that HTTP, API Gateway and the service add to every answer. The document does not name them. */
const COMMON_HEADERS =
  /^(access-control-.*|apigw-requestid|server|x-amzn?-.*|connection|content-(type|length|encoding)|date|keep-alive|vary|cache-control|referrer-policy|origin-agent-cluster|strict-transport-security|transfer-encoding|content-security-policy|cross-origin-.*|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies))$/;

/** Closes the objects of a schema: here a field that the document does not name is an error, although clients must ignore it. */
const close = (schema: unknown): unknown =>
  mapSchema(schema, (part: JsonSchema) =>
    'properties' in part && !('additionalProperties' in part) ? { ...part, additionalProperties: false } : part,
  );

/** An answer of the service. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reads the path of a request's target as the gateway does; undefined if its percent-encoding is broken. */
export const parsePath = (target: string): string | undefined => {
  try {
    return decodeURIComponent(target.replace(/\?.*/s, ''));
  } catch {
    return undefined;
  }
};

/** Makes a pattern for the paths that fit a path template. */
const makePattern = (template: string): string =>
  template
    .split(/\{\w+\}/)
    .map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
    .join('[^/]+');

/** Makes functions that compare answers, webhooks and examples with an API document. */
export const documentCheck = (document: Document) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  const components = {
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [name, close(schema)]),
    ),
  };
  const compiled = new Map<unknown, ValidateFunction>();
  const findValidator = (schema: unknown): ValidateFunction => {
    const cached = compiled.get(schema);
    if (cached) return cached;
    const validate = ajv.compile({ components, ...(close(schema) as object) });
    compiled.set(schema, validate);
    return validate;
  };
  /** Lists the errors of a value against a schema; empty if there are none. */
  const deviations = (schema: unknown, value: unknown): string[] => {
    const validate = findValidator(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
  /** Resolves a reference; returns any other part as it is. */
  const resolve = (part: Document): Document =>
    part?.$ref
      ? part.$ref
          .slice(2)
          .split('/')
          .reduce((parent: Document, name: string) => parent[name], document)
      : part;

  const routes = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
      matches: new RegExp(`^${method.toUpperCase()} ${makePattern(path)}$`),
    })),
  );
  /** Finds the documented route of a request, whose target may have a query. A route without parameters wins. */
  const routeOf = (method: string, target: string) => {
    const path = parsePath(target);
    const candidates = path === undefined ? [] : routes.filter(({ matches }) => matches.test(`${method} ${path}`));
    return candidates.find(({ route }) => !route.includes('{')) ?? candidates[0];
  };

  /** Lists the documented methods of a path. */
  const methodsOf = (target: string): readonly string[] => {
    const path = parsePath(target);
    return routes.flatMap(({ route, matches }) => {
      const [method = ''] = route.split(' ');
      return path !== undefined && matches.test(`${method} ${path}`) ? [method] : [];
    });
  };

  const listHeaderDeviations = (response: Document, headers: Headers): string[] => {
    const documented = new Map(
      Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]),
    );
    return [...headers].flatMap(([name, value]) => {
      const header = resolve(documented.get(name));
      if (header) return deviations(header.schema, value).map((text) => `header ${name}${text}`);
      return COMMON_HEADERS.test(name) ? [] : [`header ${name} is not in the document`];
    });
  };

  const listBodyDeviations = (response: Document, { headers, text }: SeenAnswer): string[] => {
    const type = headers.get('content-type')?.replace(/;.*/, '');
    if (!response.content) return text === '' ? [] : ['a body that is not in the document'];
    const media = response.content[type ?? ''];
    if (!media) return [`content type ${type} is not in the document`];
    if (type !== 'application/json') return [];
    const body = JSON.parse(text);
    const codes = Object.keys(media.examples ?? {});
    const unknown =
      body.status === false && !codes.includes(body.code) ? [`code ${body.code} is not among ${codes}`] : [];
    return [...deviations(media.schema, body), ...unknown];
  };

  /** Lists the deviations of an answer from the document; empty if there are none. */
  const answerDeviations = (method: string, path: string, seen: SeenAnswer): string[] => {
    const route = routeOf(method, path);
    if (!route) return ['the path is not in the document'];
    const response = route.operation.responses[seen.status];
    if (!response) return [`status ${seen.status} is not in the document: ${seen.text}`];
    return [...listHeaderDeviations(response, seen.headers), ...listBodyDeviations(response, seen)];
  };
  return { deviations, resolve, routes, routeOf, methodsOf, answerDeviations };
};
