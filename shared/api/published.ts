import { createHash } from 'node:crypto';
import { cachedFor } from '#shared/api/http/cached-for.ts';
import { compressText } from '#shared/api/http/encoding.ts';
import { middlewareChain } from '#shared/api/http/middleware-chain.ts';
import { readServerUrl } from '#shared/api/http/server-address.ts';
import type { ApiEvent, ApiResult, ChainDeps } from '#shared/api/http/types.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { openToOtherSites, securityHeaders } from '#shared/api/middlewares/security-headers.ts';

/** A document that the build makes. */
export interface Published {
  readonly type: string;
  readonly content: string;
  /** 200 if absent. */
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Clients and proxies keep a document for five minutes and then revalidate it. */
const CACHING = 'public, max-age=300';

/** Computes an ETag. It is weak, because the same version is sent in several encodings. */
const computeEtag = (content: string): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

const isKnown = (list: string | undefined, etag: string): boolean =>
  (list ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.slice(2));

const answer = ({ headers }: ApiEvent, { type, content, statusCode = 200, headers: own }: Published): ApiResult => {
  const etag = computeEtag(content);
  const common = { etag, vary: 'accept-encoding', ...own };
  if (statusCode === 200 && isKnown(headers['if-none-match'], etag))
    return { statusCode: 304, headers: common, body: '' };
  const { headers: encoding, ...rest } = compressText(content, headers['accept-encoding']);
  return { statusCode, headers: { 'content-type': type, ...common, ...encoding }, ...rest };
};

/** Serves a published document, or a script that other sites load. It needs no key, may be cached, and is sent again only after a change. */
export const publishedApi = (deps: ChainDeps, find: (event: ApiEvent) => Published, { isForOtherSites = false } = {}) =>
  middlewareChain(
    deps,
    [cachedFor(CACHING), requestContext(deps), isForOtherSites ? openToOtherSites() : securityHeaders(), errorTable()],
    async (event) => answer(event, find(event)),
  );

/** A text with placeholders for what differs between stages. */
export interface Template extends Omit<Published, 'content'> {
  readonly text: string;
  /** The placeholders of the called address and of the contact. */
  readonly placeholders: { readonly server: string; readonly contact: string };
}

/** The dependencies of functions that serve published texts. */
export interface PublishedDeps extends ChainDeps {
  /**
   * The text that replaces the placeholder of the contact. It is inserted as it is, so none of its characters may have a meaning in the text's
   * format, unless the caller has escaped it.
   */
  readonly contact: string;
}

/** Serves a published text, with the called address and the stage's contact filled in. */
export const templateApi = (deps: PublishedDeps, find: (event: ApiEvent) => Template) =>
  publishedApi(deps, (event) => {
    const { text, placeholders, ...rest } = find(event);
    // The replacements are functions, because `$` has a meaning in a replacement text.
    const content = text
      .replaceAll(placeholders.contact, () => deps.contact)
      .replaceAll(placeholders.server, () => readServerUrl(event) || '/');
    return { ...rest, content };
  });
