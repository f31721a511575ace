import { createDocument } from 'zod-openapi';
import { isPageRoute } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { eventFields } from './components/events.ts';
import { COMPONENTS, JSON_SCHEMA_COMPONENTS, nameComponents } from './components.ts';
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
import { SERVICE_OPERATIONS } from './service-operations.ts';
import { ERROR_EXAMPLES, HEADERS, PARAMETERS, SECURITY_SCHEMES } from './shared-parts.ts';
import { TAGS } from './tags.ts';
import { addDescriptions, tidy } from './tidy.ts';
import { draftWebhooks, finishWebhooks } from './webhooks.ts';

/** The version of the contract, which is `v1` in the paths. Additions do not change it. */
const VERSION = '1.0';

const PAGES: readonly EndpointPage[] = [
  ...CHECKOUT_PAGES,
  ...VIRTUAL_ACCOUNT_PAGES,
  ...PAYMENT_PAGES,
  ...WEBHOOK_ENDPOINT_PAGES,
  ...EVENT_PAGES,
  ...PROVIDER_PAGES,
];

/** Finds the position of an operation. Operations without a page come last. */
const findOrder = ({ page }: Pick<DocumentedOperation, 'page'>): number => (page ? PAGES.indexOf(page) : PAGES.length);

/** Converts a function's name to an operation id: `verify-checkout` becomes `verifyCheckout`. */
const camelCase = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly operation: object;
  readonly page?: EndpointPage;
}

/** Makes the operation of every route of the manifest except `$default` and page routes (`isPageRoute`), in the order of `PAGES`. */
const makeOperations = (): readonly DocumentedOperation[] =>
  FUNCTIONS.flatMap(({ name, trigger }): readonly DocumentedOperation[] => {
    const operationId = camelCase(name);
    if (trigger.kind === 'route' && trigger.route !== '$default' && !isPageRoute(trigger.route)) {
      const [method = '', path = ''] = trigger.route.split(' ');
      return [{ method, path, operationId, operation: SERVICE_OPERATIONS[trigger.route] }];
    }
    if (trigger.kind !== 'endpoint') return [];
    const page = PAGES.find(({ contract }) => contract === trigger.contract);
    if (!page) throw new Error(`Give ${name} a page in infra/openapi/pages/.`);
    nameBodies(operationId, trigger.contract);
    return [{ ...trigger.contract, operationId, operation: makeOperation(operationId, page), page }];
  }).sort((a, b) => findOrder(a) - findOrder(b));

const makePaths = () => {
  const byPath: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of makeOperations()) {
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: operation };
  }
  return byPath;
};

/** The part of an operation that we correct after zod-openapi has written it. */
interface WrittenOperation {
  readonly parameters?: { in?: string; name?: string; description?: string; example?: string; schema?: unknown }[];
}

const completeParameters = ({ parameters = [] }: WrittenOperation, page: EndpointPage | undefined): void => {
  for (const parameter of parameters) {
    parameter.schema = tidy(parameter.schema);
    if (parameter.in === 'path') Object.assign(parameter, page?.path[parameter.name ?? '']);
    const entry = page?.query[parameter.name ?? ''] ?? '';
    if (parameter.in === 'query') Object.assign(parameter, typeof entry === 'string' ? { description: entry } : entry);
  }
};

type Items = Record<string, Record<string, WrittenOperation>>;

const completeAllParameters = (items: Items): void => {
  for (const [path, item] of Object.entries(items)) {
    for (const [method, operation] of Object.entries(item)) {
      const matches = ({ contract }: EndpointPage) =>
        contract.path === path && contract.method === method.toUpperCase();
      completeParameters(operation, PAGES.find(matches));
    }
  }
};

// The schema of a webhook's `data` has a description of its own.
const { data: _, ...WEBHOOK_FIELDS } = eventFields;

/** The description of the envelope's `status`. */
const ANSWER_FIELDS = { status: 'Always true: a request that fails is answered with an `Error`.' };

/** Collects the descriptions of fields by the name of their schema. */
const collectFieldTexts = (): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  ...Object.fromEntries(COMPONENTS.map(({ id, fields }) => [id, fields])),
  ...Object.fromEntries(
    makeOperations().flatMap(({ operationId, page }) => [
      [requestName(operationId), page?.body ?? {}],
      [answerName(operationId), ANSWER_FIELDS],
    ]),
  ),
  ...Object.fromEntries(EVENT_TYPES.map((type) => [webhookBodyName(type), WEBHOOK_FIELDS])),
});

const completeSchemas = (schemas: Record<string, unknown>): void => {
  const descriptions = new Map(COMPONENTS.map(({ id, description }) => [id, description]));
  const texts = collectFieldTexts();
  for (const [id, schema] of Object.entries(schemas)) {
    const description = descriptions.get(id);
    schemas[id] = {
      ...(description && { description }),
      ...(addDescriptions(tidy(schema), texts[id] ?? {}) as object),
    };
  }
};

/** Removes the shared error examples that no endpoint refers to. */
const dropUnused = (examples: Record<string, unknown>, written: string): void => {
  for (const name of Object.keys(examples)) {
    if (!written.includes(`"#/components/examples/${name}"`)) delete examples[name];
  }
};

/**
 * Makes the OpenAPI 3.1 document from the contracts and the manifest. Its server is `SERVER_PLACEHOLDER`.
 * @throws Error if an endpoint has no page, or an event type has no example.
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
      paths: makePaths() as never,
      webhooks: draftWebhooks(),
      components: {
        schemas: { ...JSON_SCHEMA_COMPONENTS, WebhookEvent: KNOWN_EVENT } as never,
        headers: HEADERS as never,
        parameters: PARAMETERS as never,
        securitySchemes: SECURITY_SCHEMES,
        examples: ERROR_EXAMPLES,
      },
    },
    { override, allowEmptySchema: { custom: true, unknown: true } },
  );
  // Work on a copy, because zod-openapi shares objects between calls.
  const text = JSON.stringify(document);
  const writtenDocument = JSON.parse(text) as typeof document;
  dropUnused(writtenDocument.components?.examples ?? {}, text);
  completeAllParameters(writtenDocument.paths as unknown as Items);
  finishWebhooks(writtenDocument.webhooks as never);
  completeSchemas((writtenDocument.components?.schemas ?? {}) as Record<string, unknown>);
  return writtenDocument;
};
