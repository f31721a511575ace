import { escapeHtml } from '#shared/pages/html.ts';
import { renderCodeBlock, renderCodeTabs } from './code.ts';
import { findEnvelope, type RenderContext, renderFields, renderParameters, renderType } from './fields.ts';
import { renderTable } from './html.ts';
import { errorHref, eventId, listErrors } from './links.ts';
import {
  type Endpoint,
  type Operation,
  type ParsedExample,
  parseComponentName,
  resolveSchema,
  type Schema,
} from './parsed.ts';
import { formatJson } from './samples/literal.ts';
import { listBodies } from './samples/sent.ts';
import { makeSamples } from './samples.ts';

const METHODS_THAT_READ = ['GET'];

const renderPart = (title: string, html: string, level = 3): string =>
  html ? `<h${level} class="part">${title}</h${level}>${html}` : '';

/** Renders the method and the path of an endpoint, and marks the path's parameters. */
const renderRoute = ({ method, path }: Endpoint): string =>
  `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path).replaceAll(/(\{\w+\})/g, '<var>$1</var>')}</code></p>`;

const KEYS: Readonly<Record<string, string>> = { secretKey: 'Secret key', publicKey: 'public key' };

const renderKeys = ({ security }: Endpoint): string => {
  const kinds = security.flatMap((requirement) => Object.keys(requirement)).map((kind) => KEYS[kind] ?? kind);
  return `<p class="keys">${kinds.length === 0 ? 'No API key' : kinds.join(' or ')}</p>`;
};

const findBodySchema = ({ requestBody }: Operation): Schema =>
  Object.values(requestBody?.content ?? {})[0]?.schema ?? {};

const findSuccesses = ({ responses }: Operation) =>
  Object.entries(responses).filter(([status]) => status.startsWith('2'));

/** Renders the fields of a success: of its `data`, or of the whole body if it has no envelope. */
const renderAnswerFields = (context: RenderContext, idPrefix: string, schema: Schema): string => {
  const envelope = findEnvelope(context.document, schema);
  const data = envelope?.data ?? schema;
  const resolved = resolveSchema(context.document, data);
  const inner = resolved.items ?? data;
  const isObject = parseComponentName(inner) !== undefined && parseComponentName(inner) !== parseComponentName(schema);
  const hasFields = Boolean(resolveSchema(context.document, inner).properties);
  const lead = envelope ? '<code>data</code>: ' : '';
  const type = hasFields && !isObject ? (resolved.items ? 'list' : 'object') : renderType(context, data);
  const listed = envelope?.meta ? `, and <code>meta</code>: ${renderType(context, envelope.meta)}` : '';
  const fields =
    hasFields && !isObject ? renderFields(context, `${idPrefix}.answer`, resolveSchema(context.document, inner)) : '';
  return `<p>${lead}${type}${listed}</p>${fields}`;
};

const renderAnswers = (context: RenderContext, endpoint: Endpoint): string =>
  findSuccesses(endpoint)
    .map(([status, { description, content = {} }]) => {
      const [type, media] = Object.entries(content)[0] ?? [];
      const fields =
        media?.schema && type === 'application/json'
          ? renderAnswerFields(context, endpoint.operationId, media.schema)
          : '';
      const kind = type && type !== 'application/json' ? ` <code>${escapeHtml(type.split(';')[0] ?? '')}</code>` : '';
      return `<div class="answer"><p><span class="status ok">${status}</span>${kind} ${context.prose.line(description)}</p>${fields}</div>`;
    })
    .join('');

/** Renders the message and the details of an API error's example. */
const renderErrorText = (value: unknown): string => {
  const { message = '', errors = [] } = value as { message?: string; errors?: { message?: string }[] };
  return [message, ...errors.map((error) => error.message ?? '')]
    .filter((text) => text !== '')
    .map((text) => escapeHtml(text))
    .join('<br>');
};

const renderErrors = (context: RenderContext, operation: Endpoint): string => {
  const rows = listErrors(operation).map(({ status, code, value, note }) => ({
    cells: [
      `<a href="${errorHref(code)}"><code>${code}</code></a>`,
      `<span class="status">${status}</span>`,
      [renderErrorText(value), context.prose.line(note)].filter((text) => text !== '').join('<br>'),
    ],
  }));
  const form = Object.entries(operation.responses).find(([status]) => /^[45]/.test(status))?.[1].content?.[
    'application/json'
  ];
  if (rows.length === 0 || !form?.schema) return '';
  const table = renderTable(`Errors of ${operation.summary}`, ['code', 'HTTP', 'message'], rows);
  return `<details class="errors"><summary>Errors: ${rows.length}</summary><p>Each has the form of ${renderType(context, form.schema)}.</p>${table}</details>`;
};

const renderSamples = (endpoint: Endpoint): string => {
  const { operationId, summary } = endpoint;
  const tabs = makeSamples(endpoint).map(({ title, language, code }) => {
    return { id: `${operationId}-${title.toLowerCase()}`, title, language, code, label: `${summary}: ${title}` };
  });
  return renderCodeTabs('Request', `${operationId}-language`, tabs);
};

const renderFoldable = (summary: string, html: string, isOpen = false): string =>
  `<details class="example"${isOpen ? ' open' : ''}><summary>${summary}</summary>${html}</details>`;

const renderExamples = (examples: readonly ParsedExample[], lead: string, opensFirst: boolean): string =>
  examples
    .map(({ summary = 'Example', value }, i) =>
      renderFoldable(
        `${lead}${escapeHtml(summary)}`,
        renderCodeBlock(formatJson(value), 'json', summary),
        opensFirst && i === 0,
      ),
    )
    .join('');

const renderAnswerExamples = (endpoint: Endpoint): string =>
  findSuccesses(endpoint)
    .map(([status, { content = {} }]) => {
      const examples = Object.values(content['application/json']?.examples ?? {});
      return renderExamples(examples, `<span class="status ok">${status}</span> `, true);
    })
    .join('');

/** Finds the `reference` or `id` of the object in an example answer. The page's script replaces it by that of a real answer in later requests. */
const findReference = (value: unknown): string | undefined => {
  const { data, accounts } = value as { data?: unknown; accounts?: unknown };
  const result = data ?? accounts;
  const item: unknown = Array.isArray(result) ? result[0] : result;
  if (typeof item !== 'object' || item === null) return undefined;
  const { reference, id } = item as { reference?: unknown; id?: unknown };
  const name = reference ?? id;
  return typeof name === 'string' ? name : undefined;
};

/** Makes the data that the page's script needs to send the request for a reader; undefined for an endpoint that only providers call. */
const makeTrial = (endpoint: Endpoint): string | undefined => {
  const { method, path, parameters, security } = endpoint;
  if (security.length === 0 && !METHODS_THAT_READ.includes(method)) return undefined;
  const [, success] = findSuccesses(endpoint)[0] ?? [];
  const answer = Object.values(success?.content?.['application/json']?.examples ?? {})[0]?.value;
  return JSON.stringify({
    method,
    path,
    keys: security.flatMap((requirement) => Object.keys(requirement)),
    parameters: parameters.map(({ name, in: place, required = false, example, schema }) => ({
      name,
      in: place,
      required,
      ...(place === 'path' && { value: example }),
      ...(schema.enum && { values: schema.enum.filter((value) => value !== null) }),
    })),
    bodies: listBodies(endpoint).map(({ summary = 'Example', value }) => [summary, formatJson(value)]),
    ...(answer !== undefined && { names: findReference(answer) }),
  });
};

/** Renders an endpoint: request and answers on one side, samples on the other. */
export const renderEndpoint = (context: RenderContext, endpoint: Endpoint): string => {
  const { operationId, summary, description, parameters } = endpoint;
  const inPlace = (place: string): string =>
    renderParameters(
      context,
      operationId,
      parameters.filter((parameter) => parameter.in === place),
    );
  const body = resolveSchema(context.document, findBodySchema(endpoint));
  const trialData = makeTrial(endpoint);
  const bodies = listBodies(endpoint);
  return `<section class="row endpoint" id="${operationId}"${trialData ? ` data-try="${escapeHtml(trialData)}"` : ''}>
<div class="text">
<h2><a class="here" href="#${operationId}">${escapeHtml(summary)}</a></h2>
${renderRoute(endpoint)}${renderKeys(endpoint)}
${context.prose.blocks(description)}
${renderPart('Path', inPlace('path'))}
${renderPart('Query', inPlace('query'))}
${renderPart('Body', renderFields(context, `${operationId}.body`, body, true))}
${renderPart('Headers', inPlace('header'))}
${renderPart('Answer', renderAnswers(context, endpoint))}
${renderErrors(context, endpoint)}
</div>
<div class="side">
${renderSamples(endpoint)}
${bodies.length > 1 ? renderExamples(bodies, 'Body: ', false) : ''}
${renderAnswerExamples(endpoint)}
</div>
</section>`;
};

/** Finds a part that is equal in all operations, so that it can be shown once; undefined if it differs. */
const findShared = <T>(operations: readonly Operation[], find: (operation: Operation) => T): T | undefined => {
  const [first, ...rest] = operations.map(find);
  const firstText = JSON.stringify(first);
  return rest.every((value) => JSON.stringify(value) === firstText) ? first : undefined;
};

const readBodyFields = (context: RenderContext, operation: Operation) =>
  resolveSchema(context.document, findBodySchema(operation)).properties ?? {};

/** Finds the fields that are equal in the bodies of all webhooks. */
const findSharedFields = (context: RenderContext): Readonly<Record<string, Schema>> => {
  const { webhooks } = context.document;
  const [first] = webhooks;
  if (!first) return {};
  return Object.fromEntries(
    Object.entries(readBodyFields(context, first)).filter(
      ([name]) => findShared(webhooks, (webhook) => readBodyFields(context, webhook)[name]) !== undefined,
    ),
  );
};

/** Renders the common parts of all webhooks: headers, envelope, and the receiver's answers. */
export const renderWebhooksIntroduction = (context: RenderContext): string => {
  const { webhooks } = context.document;
  const shared = webhooks[0];
  if (!shared) return '';
  const headers = shared.parameters.map(({ required: _, ...rest }) => rest);
  // Object.entries gives numeric keys first, so 2XX must be moved to the top.
  const answered = Object.entries(shared.responses).sort(([a], [b]) => Number(b === '2XX') - Number(a === '2XX'));
  const rows = answered.map(([status, { description }]) => ({
    cells: [`<code>${status}</code>`, context.prose.line(description)],
  }));
  return [
    renderPart('Headers', renderParameters(context, 'webhooks.headers', headers), 2),
    renderPart('Body', renderFields(context, 'webhooks.body', { properties: findSharedFields(context) }), 2),
    renderPart('Your answer', renderTable('Your answer', ['HTTP', 'meaning'], rows), 2),
  ].join('\n');
};

/** Renders a webhook: the fields that are not the same in all webhooks, beside an example. */
export const renderWebhook = (context: RenderContext, webhook: Operation): string => {
  const { summary, description } = webhook;
  const id = eventId(summary);
  const shared = findSharedFields(context);
  const own = Object.fromEntries(
    Object.entries(readBodyFields(context, webhook)).filter(([name]) => !(name in shared) && name !== 'type'),
  );
  const examples = Object.values(Object.values(webhook.requestBody?.content ?? {})[0]?.examples ?? {});
  return `<section class="row webhook" id="${id}">
<div class="text">
<h2><a class="here" href="#${id}"><code>${escapeHtml(summary)}</code></a></h2>
${context.prose.blocks(description)}
${renderFields(context, id, { properties: own })}
</div>
<div class="side">
${examples.map(({ value }) => renderFoldable('Body', renderCodeBlock(formatJson(value), 'json', `Body of ${summary}`), true)).join('')}
</div>
</section>`;
};
