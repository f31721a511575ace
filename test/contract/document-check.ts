import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { type JsonSchema, mapSchema } from '#infra/openapi/tidy.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the document holds, and fails where it does not.
export type Document = any;

// ajv-formats is CommonJS: its types put the function one level deeper than Node does.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** What HTTP, API Gateway and the service add to every answer: the document need not name it. */
const EVERYWHERE =
  /^(access-control-.*|apigw-requestid|server|x-amzn?-.*|connection|content-(type|length|encoding)|date|keep-alive|vary|cache-control|referrer-policy|origin-agent-cluster|strict-transport-security|transfer-encoding|content-security-policy|cross-origin-.*|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies))$/;

/** Fields that the document does not name are an error here, though clients must bear them. */
const closed = (schema: unknown): unknown =>
  mapSchema(schema, (one: JsonSchema) =>
    'properties' in one && !('additionalProperties' in one) ? { ...one, additionalProperties: false } : one,
  );

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The path of a request's target as the gateway reads it; undefined where its percent-encoding is broken. */
export const pathOf = (target: string): string | undefined => {
  try {
    return decodeURIComponent(target.replace(/\?.*/s, ''));
  } catch {
    return undefined;
  }
};

/** What stands in a path template, as a pattern of the paths that fit it. */
const patternOf = (template: string): string =>
  template
    .split(/\{\w+\}/)
    .map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
    .join('[^/]+');

/** Holds answers, webhooks and examples against an API document. */
export const documentCheck = (document: Document) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  const components = {
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema)]),
    ),
  };
  const compiled = new Map<unknown, ValidateFunction>();
  const validatorOf = (schema: unknown): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const validate = ajv.compile({ components, ...(closed(schema) as object) });
    compiled.set(schema, validate);
    return validate;
  };
  /** What is wrong with a value; empty when nothing is. */
  const deviations = (schema: unknown, value: unknown): string[] => {
    const validate = validatorOf(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
  /** A part of the document, or what it refers to. */
  const resolve = (part: Document): Document =>
    part?.$ref
      ? part.$ref
          .slice(2)
          .split('/')
          .reduce((at: Document, name: string) => at[name], document)
      : part;

  const routes = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
      matches: new RegExp(`^${method.toUpperCase()} ${patternOf(path)}$`),
    })),
  );
  /** The documented route of a request, whose target may have a query; one without parameters comes first. */
  const routeOf = (method: string, target: string) => {
    const path = pathOf(target);
    const found = path === undefined ? [] : routes.filter(({ matches }) => matches.test(`${method} ${path}`));
    return found.find(({ route }) => !route.includes('{')) ?? found[0];
  };

  /** The documented methods of a path. */
  const methodsOf = (target: string): readonly string[] => {
    const path = pathOf(target);
    return routes.flatMap(({ route, matches }) => {
      const [method = ''] = route.split(' ');
      return path !== undefined && matches.test(`${method} ${path}`) ? [method] : [];
    });
  };

  const headerDeviations = (response: Document, headers: Headers): string[] => {
    const named = new Map(Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]));
    return [...headers].flatMap(([name, value]) => {
      const header = resolve(named.get(name));
      if (header) return deviations(header.schema, value).map((text) => `header ${name}${text}`);
      return EVERYWHERE.test(name) ? [] : [`header ${name} is not in the document`];
    });
  };

  const bodyDeviations = (response: Document, { headers, text }: Seen): string[] => {
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

  /** What an answer has that is not in the document; empty when nothing. */
  const answerDeviations = (method: string, path: string, seen: Seen): string[] => {
    const found = routeOf(method, path);
    if (!found) return ['the path is not in the document'];
    const response = found.operation.responses[seen.status];
    if (!response) return [`status ${seen.status} is not in the document: ${seen.text}`];
    return [...headerDeviations(response, seen.headers), ...bodyDeviations(response, seen)];
  };
  return { deviations, resolve, routes, routeOf, methodsOf, answerDeviations };
};
