import { escapeHtml } from '#shared/pages/html.ts';
import { codeBlock, codeTabs } from './code.ts';
import { envelopeOf, fieldsOf, parametersOf, typeOf, type Writing } from './fields.ts';
import { tableOf } from './html.ts';
import { errorHref, eventId, refusalsIn } from './links.ts';
import { componentOf, type Endpoint, follow, type Operation, type Schema, type ShownExample } from './parsed.ts';
import { jsonOf } from './samples/literal.ts';
import { bodiesOf } from './samples/sent.ts';
import { samplesOf } from './samples.ts';

const METHODS_THAT_READ = ['GET'];

const part = (title: string, html: string, level = 3): string =>
  html ? `<h${level} class="part">${title}</h${level}>${html}` : '';

/** The method and the path of an endpoint, parameters marked. */
const routeLine = ({ method, path }: Endpoint): string =>
  `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path).replaceAll(/(\{\w+\})/g, '<var>$1</var>')}</code></p>`;

const KEYS: Readonly<Record<string, string>> = { secretKey: 'Secret key', publicKey: 'public key' };

const keysLine = ({ security }: Endpoint): string => {
  const kinds = security.flatMap((one) => Object.keys(one)).map((kind) => KEYS[kind] ?? kind);
  return `<p class="keys">${kinds.length === 0 ? 'No API key' : kinds.join(' or ')}</p>`;
};

const bodySchema = ({ requestBody }: Operation): Schema => Object.values(requestBody?.content ?? {})[0]?.schema ?? {};

const successOf = ({ responses }: Operation) => Object.entries(responses).filter(([status]) => status.startsWith('2'));

/** What a success holds: its `data`, or all of it where it has no envelope. */
const answerFields = (writing: Writing, of: string, schema: Schema): string => {
  const envelope = envelopeOf(writing.document, schema);
  const shown = envelope?.data ?? schema;
  const all = follow(writing.document, shown);
  const inner = all.items ?? shown;
  const known = componentOf(inner) !== undefined && componentOf(inner) !== componentOf(schema);
  const hasFields = Boolean(follow(writing.document, inner).properties);
  const lead = envelope ? '<code>data</code>: ' : '';
  const type = hasFields && !known ? (all.items ? 'list' : 'object') : typeOf(writing, shown);
  const listed = envelope?.meta ? `, and <code>meta</code>: ${typeOf(writing, envelope.meta)}` : '';
  const fields = hasFields && !known ? fieldsOf(writing, `${of}.answer`, follow(writing.document, inner)) : '';
  return `<p>${lead}${type}${listed}</p>${fields}`;
};

const answers = (writing: Writing, endpoint: Endpoint): string =>
  successOf(endpoint)
    .map(([status, { description, content = {} }]) => {
      const [type, media] = Object.entries(content)[0] ?? [];
      const what =
        media?.schema && type === 'application/json' ? answerFields(writing, endpoint.operationId, media.schema) : '';
      const kind = type && type !== 'application/json' ? ` <code>${escapeHtml(type.split(';')[0] ?? '')}</code>` : '';
      return `<div class="answer"><p><span class="status ok">${status}</span>${kind} ${writing.prose.line(description)}</p>${what}</div>`;
    })
    .join('');

/** The sentence of a refusal's example, and its details. */
const refusalText = (value: unknown): string => {
  const { message = '', errors = [] } = value as { message?: string; errors?: { message?: string }[] };
  return [message, ...errors.map((one) => one.message ?? '')]
    .filter((text) => text !== '')
    .map((text) => escapeHtml(text))
    .join('<br>');
};

const refusals = (writing: Writing, operation: Endpoint): string => {
  const rows = refusalsIn(operation).map(({ status, code, value, note }) => ({
    cells: [
      `<a href="${errorHref(code)}"><code>${code}</code></a>`,
      `<span class="status">${status}</span>`,
      [refusalText(value), writing.prose.line(note)].filter((text) => text !== '').join('<br>'),
    ],
  }));
  const form = Object.entries(operation.responses).find(([status]) => /^[45]/.test(status))?.[1].content?.[
    'application/json'
  ];
  if (rows.length === 0 || !form?.schema) return '';
  const table = tableOf(`Errors of ${operation.summary}`, ['code', 'HTTP', 'message'], rows);
  return `<details class="refusals"><summary>Errors: ${rows.length}</summary><p>Each has the form of ${typeOf(writing, form.schema)}.</p>${table}</details>`;
};

const samples = (endpoint: Endpoint): string => {
  const { operationId, summary } = endpoint;
  const tabs = samplesOf(endpoint).map(({ title, language, code }) => {
    return { id: `${operationId}-${title.toLowerCase()}`, title, language, code, label: `${summary}: ${title}` };
  });
  return codeTabs('Request', `${operationId}-language`, tabs);
};

const folded = (summary: string, html: string, isOpen = false): string =>
  `<details class="example"${isOpen ? ' open' : ''}><summary>${summary}</summary>${html}</details>`;

const exampleBlocks = (examples: readonly ShownExample[], lead: string, opensFirst: boolean): string =>
  examples
    .map(({ summary = 'Example', value }, i) =>
      folded(`${lead}${escapeHtml(summary)}`, codeBlock(jsonOf(value), 'json', summary), opensFirst && i === 0),
    )
    .join('');

const answerExamples = (endpoint: Endpoint): string =>
  successOf(endpoint)
    .map(([status, { content = {} }]) => {
      const examples = Object.values(content['application/json']?.examples ?? {});
      return exampleBlocks(examples, `<span class="status ok">${status}</span> `, true);
    })
    .join('');

/** The text by which an example answer names what it made or shows: `reference` or `id` of its data. */
const namedBy = (value: unknown): string | undefined => {
  const { data, accounts } = value as { data?: unknown; accounts?: unknown };
  const of = data ?? accounts;
  const one: unknown = Array.isArray(of) ? of[0] : of;
  if (typeof one !== 'object' || one === null) return undefined;
  const { reference, id } = one as { reference?: unknown; id?: unknown };
  const name = reference ?? id;
  return typeof name === 'string' ? name : undefined;
};

/** What the script needs to make a request; undefined for what only a provider may call. */
const trial = (endpoint: Endpoint): string | undefined => {
  const { method, path, parameters, security } = endpoint;
  if (security.length === 0 && !METHODS_THAT_READ.includes(method)) return undefined;
  const [, success] = successOf(endpoint)[0] ?? [];
  const shown = Object.values(success?.content?.['application/json']?.examples ?? {})[0]?.value;
  return JSON.stringify({
    method,
    path,
    keys: security.flatMap((one) => Object.keys(one)),
    parameters: parameters.map(({ name, in: place, required = false, example, schema }) => ({
      name,
      in: place,
      required,
      ...(place === 'path' && { value: example }),
      ...(schema.enum && { values: schema.enum.filter((one) => one !== null) }),
    })),
    bodies: bodiesOf(endpoint).map(({ summary = 'Example', value }) => [summary, jsonOf(value)]),
    ...(shown !== undefined && { names: namedBy(shown) }),
  });
};

/** An endpoint: what it takes and answers on one side, samples on the other. */
export const endpointSection = (writing: Writing, endpoint: Endpoint): string => {
  const { operationId, summary, description, parameters } = endpoint;
  const inPlace = (place: string): string =>
    parametersOf(
      writing,
      operationId,
      parameters.filter((one) => one.in === place),
    );
  const body = follow(writing.document, bodySchema(endpoint));
  const tried = trial(endpoint);
  const bodies = bodiesOf(endpoint);
  return `<section class="row endpoint" id="${operationId}"${tried ? ` data-try="${escapeHtml(tried)}"` : ''}>
<div class="text">
<h2><a class="here" href="#${operationId}">${escapeHtml(summary)}</a></h2>
${routeLine(endpoint)}${keysLine(endpoint)}
${writing.prose.blocks(description)}
${part('Path', inPlace('path'))}
${part('Query', inPlace('query'))}
${part('Body', fieldsOf(writing, `${operationId}.body`, body, true))}
${part('Headers', inPlace('header'))}
${part('Answer', answers(writing, endpoint))}
${refusals(writing, endpoint)}
</div>
<div class="side">
${samples(endpoint)}
${bodies.length > 1 ? exampleBlocks(bodies, 'Body: ', false) : ''}
${answerExamples(endpoint)}
</div>
</section>`;
};

/** Whether all webhooks say the same of a part, so that it is shown once. */
const sameOf = <T>(all: readonly Operation[], find: (one: Operation) => T): T | undefined => {
  const [first, ...rest] = all.map(find);
  const written = JSON.stringify(first);
  return rest.every((one) => JSON.stringify(one) === written) ? first : undefined;
};

const fieldsOfBody = (writing: Writing, one: Operation) => follow(writing.document, bodySchema(one)).properties ?? {};

/** The fields that every webhook's body has in the same form. */
const sharedFields = (writing: Writing): Readonly<Record<string, Schema>> => {
  const { webhooks } = writing.document;
  const [first] = webhooks;
  if (!first) return {};
  return Object.fromEntries(
    Object.entries(fieldsOfBody(writing, first)).filter(
      ([name]) => sameOf(webhooks, (one) => fieldsOfBody(writing, one)[name]) !== undefined,
    ),
  );
};

/** What all webhooks have in common: headers, the envelope, and what the receiver answers. */
export const webhooksIntroduction = (writing: Writing): string => {
  const { webhooks } = writing.document;
  const shared = webhooks[0];
  if (!shared) return '';
  const headers = shared.parameters.map(({ required: _, ...rest }) => rest);
  // A JSON object has its whole numbers first.
  const answered = Object.entries(shared.responses).sort(([a], [b]) => Number(b === '2XX') - Number(a === '2XX'));
  const rows = answered.map(([status, { description }]) => ({
    cells: [`<code>${status}</code>`, writing.prose.line(description)],
  }));
  return [
    part('Headers', parametersOf(writing, 'webhooks.headers', headers), 2),
    part('Body', fieldsOf(writing, 'webhooks.body', { properties: sharedFields(writing) }), 2),
    part('Your answer', tableOf('Your answer', ['HTTP', 'what it means'], rows), 2),
  ].join('\n');
};

/** A webhook: its own fields beside an example. */
export const webhookSection = (writing: Writing, webhook: Operation): string => {
  const { summary, description } = webhook;
  const id = eventId(summary);
  const shared = sharedFields(writing);
  const own = Object.fromEntries(
    Object.entries(fieldsOfBody(writing, webhook)).filter(([name]) => !(name in shared) && name !== 'type'),
  );
  const examples = Object.values(Object.values(webhook.requestBody?.content ?? {})[0]?.examples ?? {});
  return `<section class="row webhook" id="${id}">
<div class="text">
<h2><a class="here" href="#${id}"><code>${escapeHtml(summary)}</code></a></h2>
${writing.prose.blocks(description)}
${fieldsOf(writing, id, { properties: own })}
</div>
<div class="side">
${examples.map(({ value }) => folded('Body', codeBlock(jsonOf(value), 'json', `Body of ${summary}`), true)).join('')}
</div>
</section>`;
};
