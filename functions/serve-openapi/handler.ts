// biome-ignore lint/style/noRestrictedImports: evaluated at build time; the function holds its result (infra/openapi/build-plugin.ts).
import { documentText, SERVER_PLACEHOLDER } from '#infra/openapi/published/document.ts';
import { publicDeps } from '#shared/composition/public.ts';
import type { ApiEvent, PublicDeps } from '#shared/http/kernel/types.ts';
import { publishedApi } from '#shared/http/published.ts';

/** A host name or address with its port: what may stand in a URL. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/** Where the client has reached us, as API Gateway saw it; just `/` where that makes no URL. */
const serverOf = ({ headers, requestContext: { domainName } }: ApiEvent): string =>
  HOST.test(domainName) ? `${headers['x-forwarded-proto'] === 'http' ? 'http' : 'https'}://${domainName}` : '/';

/** Serves the API document, with the address that it was asked at as its server. */
export const serveOpenapiHandler = (deps: PublicDeps & { document: () => string }) =>
  publishedApi(deps, (event) => ({
    type: 'application/json; charset=utf-8',
    content: deps.document().replace(SERVER_PLACEHOLDER, serverOf(event)),
  }));

export const handler = serveOpenapiHandler({ ...publicDeps, document: documentText });
