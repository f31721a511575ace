import { cachedFor } from '#shared/api/http/cached-for.ts';
import { middlewareChain } from '#shared/api/http/middleware-chain.ts';
import type { ApiEvent, ChainDeps } from '#shared/api/http/types.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { securityHeaders } from '#shared/api/middlewares/security-headers.ts';

/** A picture: its type, and its bytes in base64. */
interface Picture {
  readonly type: string;
  readonly data: string;
}

/** A year: the picture at an address never changes. */
const CACHING = 'public, max-age=31536000, immutable';
/** If somebody opens the address of the picture itself, the browser runs nothing in it, even if it takes the bytes for a page. */
const POLICY = "default-src 'none'; sandbox";

/** Makes a handler that serves a picture that somebody else made, such as a business's logo, to our own pages. It needs no key, and may be cached. */
export const imageApi = (deps: ChainDeps, find: (event: ApiEvent) => Promise<Picture>) =>
  middlewareChain(deps, [cachedFor(CACHING), requestContext(deps), securityHeaders(), errorTable()], async (event) => {
    const { type, data } = await find(event);
    const headers = { 'content-type': type, 'content-security-policy': POLICY };
    return { statusCode: 200, headers, isBase64Encoded: true, body: data };
  });
