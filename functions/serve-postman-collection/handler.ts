import { postmanCollection } from '#infra/openapi/published/postman.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { contactWords } from '#shared/domain/kernel/contact.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { publishedEnv } from '#shared/env/published.ts';
import { filledApi, type PublishedDeps, type Template } from '#shared/http/published.ts';

/** A browser keeps it as a file of this name instead of showing it. */
const DOWNLOADED = { 'content-disposition': 'attachment; filename="payments.postman_collection.json"' };

/** Serves the collection for Postman, with the called address as its `baseUrl`. */
export const servePostmanCollectionHandler = (deps: PublishedDeps & { collection: () => Omit<Template, 'type'> }) =>
  filledApi(deps, () => ({ type: 'application/json; charset=utf-8', headers: DOWNLOADED, ...deps.collection() }));

const env = readEnv(publishedEnv, process.env);
export const handler = servePostmanCollectionHandler({
  ...publicDeps(env),
  contact: contactWords(env.CONTACT),
  collection: postmanCollection,
});
