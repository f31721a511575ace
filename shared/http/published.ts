import { createHash } from 'node:crypto';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import middy from '@middy/core';
import { errorTable } from './middlewares/error-table.ts';
import { requestContext } from './middlewares/request-context.ts';
import { securityHeaders } from './middlewares/security-headers.ts';
import type { ApiContext, ApiDeps, ApiEvent, ApiResult } from './types.ts';

/** Something that was made at build time and is the same for everybody. */
export interface Published {
  readonly type: string;
  /** The content as it is, or packed with brotli. */
  readonly content: string | { readonly brotli: Buffer };
  /** Of the content; made of it where none is given. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Middleware = middy.MiddlewareObj<ApiEvent, ApiResult, Error, ApiContext>;

/** Five minutes at a client or in between, then it asks whether anything changed. */
const CACHING = 'public, max-age=300';
const IS_GOOD = [200, 304];

/** Weak, because one version comes in several encodings. */
const etagOf = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** Whether a list such as `gzip, br;q=0` names this encoding and does not rule it out. */
const accepts = (list: string | undefined, encoding: string): boolean =>
  (list ?? '').split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

const isKnown = (list: string | undefined, etag: string): boolean =>
  (list ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag.slice(2));

const packed = (content: Published['content'], accepted: string | undefined): Partial<ApiResult> => {
  const base64 = (encoding: string, bytes: Buffer) => ({
    headers: { 'content-encoding': encoding },
    isBase64Encoded: true,
    body: bytes.toString('base64'),
  });
  if (typeof content !== 'string' && accepts(accepted, 'br')) return base64('br', content.brotli);
  const plain = typeof content === 'string' ? content : brotliDecompressSync(content.brotli).toString();
  return accepts(accepted, 'gzip') ? base64('gzip', gzipSync(plain)) : { body: plain };
};

const answer = ({ headers }: ApiEvent, { type, content, etag: given, headers: own }: Published): ApiResult => {
  const etag = given ?? etagOf(typeof content === 'string' ? content : content.brotli);
  const common = { etag, vary: 'accept-encoding', ...own };
  if (isKnown(headers['if-none-match'], etag)) return { statusCode: 304, headers: common, body: '' };
  const { headers: encoding, ...rest } = packed(content, headers['accept-encoding']);
  return { statusCode: 200, headers: { 'content-type': type, ...common, ...encoding }, ...rest };
};

/** Outermost, so that it has the last word on what `requestContext` says of caching. */
const caching: Middleware = {
  after: ({ response }) => {
    if (response && IS_GOOD.includes(response.statusCode ?? 0)) {
      response.headers = { ...response.headers, 'cache-control': CACHING };
    }
  },
};

/** The stack of what is published: needs no key, says how long it may be kept, and sends it again only when it changed. */
export const publishedApi = (deps: Pick<ApiDeps, 'now' | 'log'>, find: (event: ApiEvent) => Published) =>
  middy<ApiEvent, ApiResult, Error, ApiContext>()
    .use(caching)
    .use([requestContext(deps), securityHeaders(), errorTable()] as Middleware[])
    .handler(async (event) => answer(event, find(event)));
