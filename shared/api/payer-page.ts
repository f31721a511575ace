import { errorHeaders, replyToError, result } from '#shared/api/http/answer.ts';
import { compressText } from '#shared/api/http/encoding.ts';
import { readServerUrl } from '#shared/api/http/server-address.ts';
import { stack } from '#shared/api/http/stack.ts';
import type { ApiEvent, ApiMiddleware, ApiResult, StackDeps } from '#shared/api/http/types.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { openToOtherSites, securityHeaders } from '#shared/api/middlewares/security-headers.ts';
import type { CheckoutAssets } from '#shared/pages/checkout/assets.ts';
import { checkoutPage, type PageDocument, problemPage } from '#shared/pages/checkout/document.ts';
import type { PageContext } from '#shared/pages/checkout/shown.ts';
import { toStatusAnswer } from '#shared/pages/checkout/status.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';

/* The payer's page over HTTP: pages for browsers, JSON for the page's own script. The link admits; no key is involved. */

/** What a payer sees, wherever it is shown, and its version. */
type PageState = Omit<PageContext, 'link' | 'isEmbedded' | 'pressed'> & { readonly etag: string };

/** What a request for the page says. */
export interface PayerRequest {
  readonly link: string;
  /** When the payer said that the money was sent; null before. */
  readonly sentAt: Millis | null;
  readonly isEmbedded: boolean;
  /** The button that a browser without script pressed, and the version that it saw; null elsewhere. */
  readonly pressed: string | null;
}

/** A time as the page's address has it. What is not one, or still to come, counts as now. */
const parseSentAt = (text: string | undefined, now: Millis): Millis | null => {
  if (text === undefined) return null;
  const at = /^\d{13}$/.test(text) ? Number(text) : now;
  return Math.min(at, now);
};

export const parsePayerRequest = (
  { pathParameters, queryStringParameters = {} }: ApiEvent,
  now: Millis,
): PayerRequest => ({
  // Well formed, as it stands in the address that a form leads back to.
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

/** Whether the page's script asks; a browser that submits a form wants a page. */
const wantsJson = ({ headers }: ApiEvent): boolean => headers.accept?.includes('application/json') ?? false;

const NOT_FOUND = 404;
const describeProblem = (status: number): [title: string, what: string] =>
  status === NOT_FOUND
    ? ['This payment link is not valid', 'Check the link, or ask the business that gave it to you.']
    : [
        'This payment can’t be shown right now',
        'Nothing about your payment has changed. Please try again in a minute. If you have sent money already, it is not lost.',
      ];

/** The page that tells people of an error. What asks for JSON gets the error table's answer. */
const errorPages = (assets: () => CheckoutAssets): ApiMiddleware => ({
  onError: (request) => {
    if (request.response || wantsJson(request.event)) return;
    const { status } = replyToError(request.error, request.context.api.requestId);
    const page = asPage(request.event, status, problemPage(assets(), ...describeProblem(status), status !== NOT_FOUND));
    request.response = { ...page, headers: { ...page.headers, ...errorHeaders(request.error) } };
  },
});

/** A route of the page. What is in its frame's policy decides who may frame it, so the older header for that is left out. */
export const payerPage = (
  deps: StackDeps & { readonly assets: () => CheckoutAssets },
  work: (event: ApiEvent, payerRequest: PayerRequest) => Promise<ApiResult>,
) =>
  stack(deps, [requestContext(deps), openToOtherSites(), errorTable(), errorPages(deps.assets)], (event) =>
    work(event, parsePayerRequest(event, deps.now())),
  );

/** Where a browser without script goes after a form: to the page again. */
const backToPage = ({ link, sentAt, isEmbedded, pressed }: PayerRequest): ApiResult => {
  const query = new URLSearchParams({
    ...(sentAt !== null && { sent: String(sentAt) }),
    ...(isEmbedded && { embed: '1' }),
    ...(pressed !== null && { pressed }),
  });
  const search = query.size === 0 ? '' : `?${query}`;
  return { statusCode: 303, headers: { location: `/pay/${encodeURIComponent(link)}${search}` }, body: '' };
};

/** A browser that has submitted a form goes back to the page, whatever went wrong: the page says how things stand. */
const backOnError = ({ now }: StackDeps): ApiMiddleware => ({
  onError: (request) => {
    const { event } = request;
    if (request.response || wantsJson(event) || event.requestContext.http.method !== 'POST') return;
    request.response = backToPage(parsePayerRequest(event, now()));
  },
});

/** A route that the page's script or one of its forms calls. `changes` notes the checkout that a request may have changed, for the log. */
export const payerState = (
  deps: StackDeps,
  work: (event: ApiEvent, payerRequest: PayerRequest, changes: (reference: string) => void) => Promise<ApiResult>,
) =>
  stack(deps, [requestContext(deps), securityHeaders(), errorTable(), backOnError(deps)], (event, state) =>
    work(event, parsePayerRequest(event, deps.now()), (reference) => {
      state.changedIds = [reference];
    }),
  );

/** The page itself. */
export const renderPage = (
  event: ApiEvent,
  { link, isEmbedded, pressed }: PayerRequest,
  state: PageState,
  assets: CheckoutAssets,
): ApiResult => asPage(event, 200, checkoutPage({ ...state, link, isEmbedded, pressed }, assets, readServerUrl(event)));

/** The state for the page's script. */
export const statusAnswer = ({ link, isEmbedded }: PayerRequest, state: PageState): ApiResult =>
  result(
    { status: 200, body: JSON.stringify(toStatusAnswer({ ...state, link, isEmbedded, pressed: null })) },
    { etag: `"${state.etag}"` },
  );

/** Whether the page's script has this version already. */
export const isKnown = ({ headers }: ApiEvent, etag: string): boolean =>
  headers['if-none-match']?.replace(/^W\//, '') === `"${etag}"`;

/** The answer after a form: the new state for the page's script, the page again for a browser. */
export const afterForm = async (
  event: ApiEvent,
  payerRequest: PayerRequest,
  show: () => Promise<PageState>,
): Promise<ApiResult> => (wantsJson(event) ? statusAnswer(payerRequest, await show()) : backToPage(payerRequest));

/** A field of a form, as browsers and the page's script send it. */
export const formField = ({ body = '', isBase64Encoded }: ApiEvent, name: string): string | null =>
  new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body).get(name);
