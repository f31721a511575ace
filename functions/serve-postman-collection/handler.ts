import { postmanCollection } from '#infra/openapi/published/postman.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { type PublishedDeps, type Template, templateApi } from '#shared/api/published.ts';
import { readEnv } from '#shared/platform/env.ts';
import { contactWords } from '#shared/platform/kernel/contact.ts';

/** Makes a browser download the file instead of showing it. */
const DOWNLOADED = { 'content-disposition': 'attachment; filename="payments.postman_collection.json"' };

/** Serves the Postman collection. Its `baseUrl` is the called address. */
export const servePostmanCollectionHandler = (deps: PublishedDeps & { collection: () => Omit<Template, 'type'> }) =>
  templateApi(deps, () => ({ type: 'application/json; charset=utf-8', headers: DOWNLOADED, ...deps.collection() }));

const env = readEnv(publishedEnv, process.env);
export const handler = servePostmanCollectionHandler({
  ...chainDeps(env),
  contact: contactWords(env.CONTACT),
  collection: postmanCollection,
});
