import { createDocument } from 'zod-openapi';
import { isPageRoute } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { COMPONENTS, eventFields, nameComponents, PLAIN_COMPONENTS } from './components.ts';
import type { EndpointPage } from './endpoint-page.ts';
import { SUMMARY } from './guide.ts';
import {
  answerName,
  EVENT_TYPES,
  KNOWN_EVENT,
  nameBodies,
  nameWebhooks,
  requestName,
  webhookBodyName,
} from './named-bodies.ts';
import { makeOperation } from './operation.ts';
import { override } from './overrides.ts';
import { CHECKOUT_PAGES } from './pages/checkout.ts';
import { EVENT_PAGES } from './pages/events.ts';
import { PAYMENT_PAGES } from './pages/payments.ts';
import { PROVIDER_PAGES } from './pages/providers.ts';
import { VIRTUAL_ACCOUNT_PAGES } from './pages/virtual-accounts.ts';
import { WEBHOOK_ENDPOINT_PAGES } from './pages/webhook-endpoints.ts';
import { CONTACT_PLACEHOLDER, SERVER_PLACEHOLDER } from './server-placeholder.ts';
import { SERVICE_PAGES } from './service-pages.ts';
import { ERROR_EXAMPLES, HEADERS, PARAMETERS, SECURITY_SCHEMES } from './shared-parts.ts';
import { TAGS } from './tags.ts';
import { describe, tidy } from './tidy.ts';
import { draftWebhooks, finishWebhooks } from './webhooks.ts';

/** The version of the contract, as in the path. Additions within it change the document and its ETag, not this. */
const VERSION = '1.0';

const PAGES: readonly EndpointPage[] = [
  ...CHECKOUT_PAGES,
  ...VIRTUAL_ACCOUNT_PAGES,
  ...PAYMENT_PAGES,
  ...WEBHOOK_ENDPOINT_PAGES,
  ...EVENT_PAGES,
  ...PROVIDER_PAGES,
];

/** Operations without a page come last. */
const findOrder = ({ page }: Pick<DocumentedOperation, 'page'>): number => (page ? PAGES.indexOf(page) : PAGES.length);

/** `verify-checkout` becomes `verifyCheckout`. */
const camelCase = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly operation: object;
  readonly page?: EndpointPage;
}

/** Every route of the manifest with its operation, in the order of the pages. */
const operations = (): readonly DocumentedOperation[] =>
  FUNCTIONS.flatMap(({ name, trigger }): readonly DocumentedOperation[] => {
    const operationId = camelCase(name);
    if (trigger.kind === 'route' && trigger.route !== '$default' && !isPageRoute(trigger.route)) {
      const [method = '', path = ''] = trigger.route.split(' ');
      return [{ method, path, operationId, operation: SERVICE_PAGES[trigger.route] }];
    }
    if (trigger.kind !== 'endpoint') return [];
    const page = PAGES.find(({ contract }) => contract === trigger.contract);
    if (!page) throw new Error(`Give ${name} a page in infra/openapi/pages/.`);
    nameBodies(operationId, trigger.contract);
    return [{ ...trigger.contract, operationId, operation: makeOperation(operationId, page), page }];
  }).sort((a, b) => findOrder(a) - findOrder(b));

const paths = () => {
  const byPath: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of operations()) {
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: operation };
  }
  return byPath;
};

/** The parts that we correct of an operation made by zod-openapi. */
interface Written {
  readonly parameters?: { in?: string; name?: string; description?: string; example?: string; schema?: unknown }[];
}

const normalise = ({ parameters = [] }: Written, page: EndpointPage | undefined): void => {
  for (const parameter of parameters) {
    parameter.schema = tidy(parameter.schema);
    if (parameter.in === 'path') Object.assign(parameter, page?.path[parameter.name ?? '']);
    const entry = page?.query[parameter.name ?? ''] ?? '';
    if (parameter.in === 'query') Object.assign(parameter, typeof entry === 'string' ? { description: entry } : entry);
  }
};

type Items = Record<string, Record<string, Written>>;

const normaliseAll = (items: Items): void => {
  for (const [path, item] of Object.entries(items)) {
    for (const [method, operation] of Object.entries(item)) {
      const matches = ({ contract }: EndpointPage) =>
        contract.path === path && contract.method === method.toUpperCase();
      normalise(operation, PAGES.find(matches));
    }
  }
};

/** `data` of a webhook refers to a schema that describes itself. */
const { data: _, ...WEBHOOK_FIELDS } = eventFields;

/** The envelope of every success. */
const ANSWER_FIELDS = { status: 'Always true: a refusal is an `Error`.' };

/** The descriptions of fields, by the name of their schema. */
const fieldTexts = (): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  ...Object.fromEntries(COMPONENTS.map(({ id, fields }) => [id, fields])),
  ...Object.fromEntries(
    operations().flatMap(({ operationId, page }) => [
      [requestName(operationId), page?.body ?? {}],
      [answerName(operationId), ANSWER_FIELDS],
    ]),
  ),
  ...Object.fromEntries(EVENT_TYPES.map((type) => [webhookBodyName(type), WEBHOOK_FIELDS])),
});

const normaliseComponents = (schemas: Record<string, unknown>): void => {
  const descriptions = new Map(COMPONENTS.map(({ id, description }) => [id, description]));
  const texts = fieldTexts();
  for (const [id, schema] of Object.entries(schemas)) {
    const description = descriptions.get(id);
    schemas[id] = { ...(description && { description }), ...(describe(tidy(schema), texts[id] ?? {}) as object) };
  }
};

/** Removes the shared examples that nothing refers to, because every endpoint has its own message for them. */
const dropUnused = (examples: Record<string, unknown>, written: string): void => {
  for (const name of Object.keys(examples)) {
    if (!written.includes(`"#/components/examples/${name}"`)) delete examples[name];
  }
};

/**
 * The API as an OpenAPI 3.1 document, made of the contracts and the manifest. Its server is `SERVER_PLACEHOLDER`.
 * @throws Error when an endpoint has no page, or an event type no example.
 */
export const makeDocument = () => {
  nameComponents();
  nameWebhooks();
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Payments API',
        version: VERSION,
        summary: 'Virtual bank accounts, checkouts by bank transfer, and signed webhooks.',
        description: SUMMARY,
        contact: { name: CONTACT_PLACEHOLDER },
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: SERVER_PLACEHOLDER }],
      tags: TAGS.map(({ name, description }) => ({ name, description })),
      paths: paths() as never,
      webhooks: draftWebhooks(),
      components: {
        schemas: { ...PLAIN_COMPONENTS, WebhookEvent: KNOWN_EVENT } as never,
        headers: HEADERS as never,
        parameters: PARAMETERS as never,
        securitySchemes: SECURITY_SCHEMES,
        examples: ERROR_EXAMPLES,
      },
    },
    { override, allowEmptySchema: { custom: true, unknown: true } },
  );
  // A copy, because zod-openapi shares objects between calls.
  const text = JSON.stringify(document);
  const written = JSON.parse(text) as typeof document;
  dropUnused(written.components?.examples ?? {}, text);
  normaliseAll(written.paths as unknown as Items);
  finishWebhooks(written.webhooks as never);
  normaliseComponents((written.components?.schemas ?? {}) as Record<string, unknown>);
  return written;
};
