import { createHash } from 'node:crypto';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { setHeaders } from '#shared/http/kernel/answer.ts';
import { accepts, encodedBody } from '#shared/http/kernel/encoding.ts';
import { serverOf } from '#shared/http/kernel/server-address.ts';
import { stack } from '#shared/http/kernel/stack.ts';
import type { ApiEvent, ApiMiddleware, ApiResult, PublicDeps } from '#shared/http/kernel/types.ts';
import { errorTable } from '#shared/http/middlewares/error-table.ts';
import { requestContext } from '#shared/http/middlewares/request-context.ts';
import { openToOtherSites, securityHeaders } from '#shared/http/middlewares/security-headers.ts';

/** A document that is made at build time and is the same for everybody. */
export interface Published {
  readonly type: string;
  /** Plain, or compressed with brotli. */
  readonly content: string | { readonly brotli: Buffer };
  /** Computed from the content where it is absent. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Clients and proxies keep it for five minutes and then revalidate it. */
const CACHING = 'public, max-age=300';
const CACHED = [200, 304];

/** Weak, because one version comes in several encodings. */
const etagOf = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

const isKnown = (list: string | undefined, etag: string): boolean =>
  (list ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag.slice(2));

const encoded = (content: Published['content'], accepted: string | undefined): Omit<ApiResult, 'statusCode'> => {
  if (typeof content !== 'string' && accepts(accepted, 'br')) return encodedBody('br', content.brotli);
  const plain = typeof content === 'string' ? content : brotliDecompressSync(content.brotli).toString();
  return accepts(accepted, 'gzip') ? encodedBody('gzip', gzipSync(plain)) : { headers: {}, body: plain };
};

const answer = ({ headers }: ApiEvent, { type, content, etag: given, headers: own }: Published): ApiResult => {
  const etag = given ?? etagOf(typeof content === 'string' ? content : content.brotli);
  const common = { etag, vary: 'accept-encoding', ...own };
  if (isKnown(headers['if-none-match'], etag)) return { statusCode: 304, headers: common, body: '' };
  const { headers: encoding, ...rest } = encoded(content, headers['accept-encoding']);
  return { statusCode: 200, headers: { 'content-type': type, ...common, ...encoding }, ...rest };
};

/** Comes first, so that its `after` runs last and replaces the `cache-control` of requestContext. */
const caching: ApiMiddleware = {
  after: (request) => {
    if (CACHED.includes(request.response?.statusCode ?? 0)) setHeaders(request, { 'cache-control': CACHING });
  },
};

/** A published document, or a script that other sites load: needs no key, may be cached, and is sent again only after a change. */
export const publishedApi = (
  deps: PublicDeps,
  find: (event: ApiEvent) => Published,
  { isForOtherSites = false } = {},
) =>
  stack(
    deps,
    [caching, requestContext(deps), isForOtherSites ? openToOtherSites() : securityHeaders(), errorTable()],
    async (event) => answer(event, find(event)),
  );

/** A text that names the address which it is served from. */
export interface AddressedText {
  readonly text: string;
  /** What stands for the address in it. */
  readonly placeholder: string;
}

/** A published text, with the called address in it. */
export const addressedApi = (deps: PublicDeps, type: string, find: () => AddressedText) =>
  publishedApi(deps, (event) => {
    const { text, placeholder } = find();
    return { type, content: text.replaceAll(placeholder, serverOf(event) || '/') };
  });
