import { postmanCollection } from '#infra/openapi/published/postman.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { type PublishedDeps, type Template, templateApi } from '#shared/api/published.ts';
import { readEnv } from '#shared/platform/env.ts';
import { contactWords } from '#shared/platform/kernel/contact.ts';

/** The headers that make a browser download the file instead of showing it. */
const DOWNLOAD_HEADERS = { 'content-disposition': 'attachment; filename="payments.postman_collection.json"' };

/** Serves the Postman collection. In it, `baseUrl` is the address under which the collection was requested. */
export const servePostmanCollectionHandler = (deps: PublishedDeps & { collection: () => Omit<Template, 'type'> }) =>
  templateApi(deps, () => ({
    type: 'application/json; charset=utf-8',
    headers: DOWNLOAD_HEADERS,
    ...deps.collection(),
  }));

const env = readEnv(publishedEnv, process.env);
export const handler = servePostmanCollectionHandler({
  ...chainDeps(env),
  contact: contactWords(env.CONTACT),
  collection: postmanCollection,
});
