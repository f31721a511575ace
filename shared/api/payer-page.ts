import { errorHeaders, replyToError, result } from '#shared/api/http/answer.ts';
import { compressText } from '#shared/api/http/encoding.ts';
import { middlewareChain } from '#shared/api/http/middleware-chain.ts';
import { readServerUrl } from '#shared/api/http/server-address.ts';
import type { ApiEvent, ApiMiddleware, ApiResult, ChainDeps } from '#shared/api/http/types.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { openToOtherSites, securityHeaders } from '#shared/api/middlewares/security-headers.ts';
import type { CheckoutAssets } from '#shared/pages/checkout/assets.ts';
import { checkoutPage, type PageDocument, problemPage } from '#shared/pages/checkout/document.ts';
import type { PageContext } from '#shared/pages/checkout/page-context.ts';
import { toStatusAnswer } from '#shared/pages/checkout/status.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';

/*
 * Serves the payment page: HTML for browsers, JSON for the page's own script. Everybody who has the page's link may see the page; no key is
 * needed.
 */

/** The state that the payment page shows, and its version. */
type PageState = Omit<PageContext, 'link' | 'isEmbedded' | 'pressed'> & { readonly etag: string };

/** The parts of a request for the payment page. */
export interface PayerRequest {
  readonly link: string;
  /** When the payer said that the money was sent; null if not yet. */
  readonly sentAt: Millis | null;
  readonly isEmbedded: boolean;
  /**
   * The button that the payer pressed in a browser without script, and the checkout's version on the page at that time, such as `again-3`; null if
   * no button was pressed.
   */
  readonly pressed: string | null;
}

/**
 * Parses the parameter `sent` of the page's address: the time at which the payer said that the money was sent. Null without the parameter. A text
 * that is no such time, and a time in the future, count as now.
 */
const parseSentAt = (text: string | undefined, now: Millis): Millis | null => {
  if (text === undefined) return null;
  const at = /^\d{13}$/.test(text) ? Number(text) : now;
  return Math.min(at, now);
};

export const parsePayerRequest = (
  { pathParameters, queryStringParameters = {} }: ApiEvent,
  now: Millis,
): PayerRequest => ({
  // Without `toWellFormed` a malformed link would make `encodeURIComponent` throw, when `backToPage` writes the page's address with the link.
  link: pathParameters?.link?.toWellFormed() ?? '',
  sentAt: parseSentAt(queryStringParameters.sent, now),
  isEmbedded: queryStringParameters.embed !== undefined,
  pressed: /^[a-z]+-\d{1,9}$/.exec(queryStringParameters.pressed ?? '')?.[0] ?? null,
});

const asPage = ({ headers }: ApiEvent, status: number, page: PageDocument): ApiResult => {
  const { headers: encoding, ...rest } = compressText(page.html, headers['accept-encoding']);
  const own = { 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding' };
  return { statusCode: status, ...rest, headers: { ...own, ...page.headers, ...encoding } };
};

/** Checks whether the page's script sent the request. A browser that submits a form wants a page. */
const wantsJson = ({ headers }: ApiEvent): boolean => headers.accept?.includes('application/json') ?? false;

const NOT_FOUND = 404;
const describeProblem = (status: number): [title: string, what: string] =>
  status === NOT_FOUND
    ? ['This payment link is not valid', 'Check the link, or ask the business that gave it to you.']
    : [
        'This payment can’t be shown right now',
        'Nothing about your payment has changed. Please try again in a minute. If you have sent money already, it is not lost.',
      ];

/** Shows people a page about an error. A request for JSON gets the error table's answer. */
const errorPages = (assets: () => CheckoutAssets): ApiMiddleware => ({
  onError: (request) => {
    if (request.response || wantsJson(request.event)) return;
    const { status } = replyToError(request.error, request.context.api.requestId);
    const page = asPage(request.event, status, problemPage(assets(), ...describeProblem(status), status !== NOT_FOUND));
    request.response = { ...page, headers: { ...page.headers, ...errorHeaders(request.error) } };
  },
});

/** Makes a route that shows the payment page. The page's own policy says who may frame it, so the older header X-Frame-Options is left out. */
export const payerPageRoute = (
  deps: ChainDeps & { readonly assets: () => CheckoutAssets },
  work: (event: ApiEvent, payerRequest: PayerRequest) => Promise<ApiResult>,
) =>
  middlewareChain(deps, [requestContext(deps), openToOtherSites(), errorTable(), errorPages(deps.assets)], (event) =>
    work(event, parsePayerRequest(event, deps.now())),
  );

/** Leads a browser without script back to the page after it submitted a form. */
const backToPage = ({ link, sentAt, isEmbedded, pressed }: PayerRequest): ApiResult => {
  const query = new URLSearchParams({
    ...(sentAt !== null && { sent: String(sentAt) }),
    ...(isEmbedded && { embed: '1' }),
    ...(pressed !== null && { pressed }),
  });
  const search = query.size === 0 ? '' : `?${query}`;
  return { statusCode: 303, headers: { location: `/pay/${encodeURIComponent(link)}${search}` }, body: '' };
};

/** Makes the middleware that leads a browser back to the page if its form met an error, because the page shows the state. */
const backOnError = ({ now }: ChainDeps): ApiMiddleware => ({
  onError: (request) => {
    const { event } = request;
    if (request.response || wantsJson(event) || event.requestContext.http.method !== 'POST') return;
    request.response = backToPage(parsePayerRequest(event, now()));
  },
});

/**
 * Makes a route that the page's script or a form calls. `work` calls `markChanged` with the reference of a checkout that it may have changed, for
 * the log.
 */
export const payerStateRoute = (
  deps: ChainDeps,
  work: (event: ApiEvent, payerRequest: PayerRequest, markChanged: (reference: string) => void) => Promise<ApiResult>,
) =>
  middlewareChain(deps, [requestContext(deps), securityHeaders(), errorTable(), backOnError(deps)], (event, state) =>
    work(event, parsePayerRequest(event, deps.now()), (reference) => {
      state.changedIds = [reference];
    }),
  );

/** Renders the payment page. */
export const renderPage = (
  event: ApiEvent,
  { link, isEmbedded, pressed }: PayerRequest,
  state: PageState,
  assets: CheckoutAssets,
): ApiResult => asPage(event, 200, checkoutPage({ ...state, link, isEmbedded, pressed }, assets, readServerUrl(event)));

/** Answers the page's script with the state. */
export const statusAnswer = ({ link, isEmbedded }: PayerRequest, state: PageState): ApiResult =>
  result(
    { status: 200, body: JSON.stringify(toStatusAnswer({ ...state, link, isEmbedded, pressed: null })) },
    { etag: `"${state.etag}"` },
  );

/** Checks whether the page's script has this version already. */
export const hasVersion = ({ headers }: ApiEvent, etag: string): boolean =>
  headers['if-none-match']?.replace(/^W\//, '') === `"${etag}"`;

/** Answers a form: with the new state for the page's script, with the way back to the page for a browser. */
export const afterForm = async (
  event: ApiEvent,
  payerRequest: PayerRequest,
  show: () => Promise<PageState>,
): Promise<ApiResult> => (wantsJson(event) ? statusAnswer(payerRequest, await show()) : backToPage(payerRequest));

/** Reads a field of a form, as browsers and the page's script send it. */
export const formField = ({ body = '', isBase64Encoded }: ApiEvent, name: string): string | null =>
  new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body).get(name);
