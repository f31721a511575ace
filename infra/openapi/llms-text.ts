import { guide } from './guide.ts';
import { endpointHref, eventHref } from './page/links.ts';
import { type Endpoint, type ParsedDocument, parseDocument, resolveSchema } from './page/parsed.ts';
import { SERVER_PLACEHOLDER } from './server-placeholder.ts';

/** The first paragraph of a description, on one line. */
const firstParagraph = (description: string): string => (description.split('\n\n')[0] ?? '').replaceAll('\n', ' ');

/** Lists names: ` Body: amount (required), currency.` */
const listNames = (title: string, names: readonly (readonly [name: string, isRequired: boolean])[]): string =>
  names.length === 0
    ? ''
    : ` ${title}: ${names.map(([name, isRequired]) => `\`${name}\`${isRequired ? ' (required)' : ''}`).join(', ')}.`;

/** Lists the query parameters and the body fields of a request. */
const describeInputs = (document: ParsedDocument, { parameters, requestBody }: Endpoint): string => {
  const { schema = {} } = Object.values(requestBody?.content ?? {})[0] ?? {};
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => [parameter.name, parameter.required === true] as const);
  const body = Object.keys(properties).map((name) => [name, required.includes(name)] as const);
  return listNames('Query', query) + listNames('Body', body);
};

const renderEndpointLine = (document: ParsedDocument, endpoint: Endpoint): string => {
  const { summary, method, path, description } = endpoint;
  const inputs = describeInputs(document, endpoint);
  return `- [${summary}](${SERVER_PLACEHOLDER}${endpointHref(endpoint)}): \`${method} ${path}\`. ${firstParagraph(description)}${inputs}`;
};

const renderGroups = (document: ParsedDocument): string[] => {
  const { tags, endpoints, webhooks } = document;
  return tags.map(({ name, description }) =>
    [
      `## ${name}\n\n${description}\n`,
      ...endpoints
        .filter((endpoint) => endpoint.tags.includes(name))
        .map((endpoint) => renderEndpointLine(document, endpoint)),
      ...webhooks
        .filter((webhook) => webhook.tags.includes(name))
        .map(
          (webhook) =>
            `- [${webhook.summary}](${SERVER_PLACEHOLDER}${eventHref(webhook)}): ${firstParagraph(webhook.description)}`,
        ),
    ].join('\n'),
  );
};

/** Moves the guide's headings one level down, so that the text has one title. Code stays as it is. */
const lowerHeadings = (markdown: string): string =>
  markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(/^#/gm, '##')))
    .join('');

/**
 * Makes `/llms.txt` in the form that llmstxt.org proposes: a summary, links to the whole document, one line for each endpoint and webhook,
 * and the guide.
 */
export const makeLlmsText = (document: ParsedDocument = parseDocument()): string => {
  const { info } = document;
  return `# ${info.title}

> ${info.summary}

The OpenAPI 3.1 document is the whole contract, with every field, example and error. This text has the guide, and a line for each webhook and each endpoint with the names of its parameters and fields.

- [OpenAPI as JSON](${SERVER_PLACEHOLDER}/api/v1/openapi.json)
- [OpenAPI as YAML](${SERVER_PLACEHOLDER}/api/v1/openapi.yaml)
- [Collection for Postman](${SERVER_PLACEHOLDER}/api/v1/postman.json)
- [The documentation as pages](${SERVER_PLACEHOLDER}/docs)

${renderGroups(document).join('\n\n')}

## Guide

${lowerHeadings(guide())}
`;
};
