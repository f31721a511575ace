import { openAnotherOnPageHandler } from '#functions/open-another-account-on-page/handler.ts';
import { reportTransferHandler } from '#functions/report-transfer/handler.ts';
import { showCheckoutHandler } from '#functions/show-checkout/handler.ts';
import { showCheckoutStatusHandler } from '#functions/show-checkout-status/handler.ts';
import { simulateOnPageHandler } from '#functions/simulate-on-page/handler.ts';
import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import type { ApiHandler } from '#shared/api/http/types.ts';
import { pageLink } from '#shared/checkouts/domain/page-link.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import type { ApiAnswer } from './api-client.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { PAGE_LINK_KEY } from './keys.ts';
import type { World } from './world.ts';

/** The parts of a request for a payment page, beside the link. */
interface RequestParts {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const SCRIPT = { accept: 'application/json' };

/** Returns the payment page's routes as functions, each with its middleware chain and a world's dependencies. */
export const payersPage = (world: Pick<World, 'deps'>, sourceIp = '102.89.40.21') => {
  const { deps } = world;
  const call = (handler: ApiHandler, method: string, path: string) => {
    return async (link: string, { query = {}, headers = {}, body }: RequestParts = {}): Promise<ApiAnswer> => {
      const sent = { method, path, params: { link }, query, headers, sourceIp };
      const result = await handler(apiEvent({ ...sent, ...(body !== undefined && { body }) }), lambdaContext());
      const text = String(result.body);
      const isJson = String(result.headers['content-type']).includes('json');
      return {
        status: result.statusCode,
        headers: Object.fromEntries(Object.entries(result.headers).map(([name, value]) => [name.toLowerCase(), value])),
        text,
        json: isJson && text ? JSON.parse(text) : undefined,
      };
    };
  };
  const show = call(
    inRole('show-checkout', showCheckoutHandler({ ...deps, assets: checkoutAssets })),
    'GET',
    '/pay/{link}',
  );
  const status = call(inRole('show-checkout-status', showCheckoutStatusHandler(deps)), 'GET', '/pay/{link}/status');
  const sent = call(inRole('report-transfer', reportTransferHandler(deps)), 'POST', '/pay/{link}/sent');
  const another = call(
    inRole('open-another-account-on-page', openAnotherOnPageHandler(deps)),
    'POST',
    '/pay/{link}/another-account',
  );
  const simulate = call(inRole('simulate-on-page', simulateOnPageHandler(deps)), 'POST', '/pay/{link}/simulate');
  /** Makes the form that a button of test mode sends from the current page. */
  const button = async (link: string, outcome: string): Promise<string> =>
    new URLSearchParams({ version: String((await status(link)).json?.version), outcome }).toString();
  return {
    linkOf: (reference: string): string => pageLink(PAGE_LINK_KEY, reference),
    show,
    status,
    /** Each function sends what the page's script sends. A name with `ByForm`: it sends what a browser without scripts sends. */
    sent: (link: string, asking: RequestParts = {}) => sent(link, { headers: SCRIPT, ...asking }),
    sentByForm: (link: string, asking: RequestParts = {}) =>
      sent(link, { headers: { accept: 'text/html' }, ...asking }),
    another: (link: string) => another(link, { headers: SCRIPT }),
    anotherByForm: (link: string) => another(link, { headers: { accept: 'text/html' } }),
    button,
    press: (link: string, body: string) => simulate(link, { headers: SCRIPT, body }),
    simulate: async (link: string, outcome: string) =>
      simulate(link, { headers: SCRIPT, body: await button(link, outcome) }),
    simulateByForm: async (link: string, outcome: string) =>
      simulate(link, { headers: { accept: 'text/html' }, body: await button(link, outcome) }),
  };
};
