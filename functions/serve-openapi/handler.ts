// biome-ignore lint/style/noRestrictedImports: evaluated at build time; the function holds its result (infra/openapi/build-plugin.ts).
import { documentText, SERVER_PLACEHOLDER } from '#infra/openapi/published/document.ts';
import { publicDeps } from '#shared/composition/public.ts';
import type { ApiEvent, PublicDeps } from '#shared/http/kernel/types.ts';
import { publishedApi } from '#shared/http/published.ts';

/** A host name or address, with or without a port. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/** The address that the client has called, as API Gateway saw it; `/` where that is no host. */
const serverOf = ({ headers, requestContext: { domainName } }: ApiEvent): string =>
  HOST.test(domainName) ? `${headers['x-forwarded-proto'] === 'http' ? 'http' : 'https'}://${domainName}` : '/';

/** Serves the API document, with the called address as its server. */
export const serveOpenapiHandler = (deps: PublicDeps & { document: () => string }) =>
  publishedApi(deps, (event) => ({
    type: 'application/json; charset=utf-8',
    content: deps.document().replace(SERVER_PLACEHOLDER, serverOf(event)),
  }));

export const handler = serveOpenapiHandler({ ...publicDeps, document: documentText });
