import { type Answer, gatewayAnswer } from '#infra/local/gateway/answer.ts';
import type { Answerer } from '#infra/local/gateway/api.ts';
import { isCausedByOtherSite } from '#infra/local/gateway/browser-requests.ts';
import { jsonAnswer, pageAnswer } from '#infra/local/pages/answers.ts';
import { type Orders, PRODUCTS } from './orders.ts';
import { orderList, SHOP_POLICY, shopPage } from './page.ts';

/** The path of the demo shop. */
export const SHOP_PATH = '/_local/shop';

const placeOrder = async (orders: Orders, id: string | null, isForScript: boolean): Promise<Answer> => {
  const product = PRODUCTS.find((item) => item.id === id);
  if (!product) return jsonAnswer(404, { message: 'The shop does not sell this product.' });
  try {
    const { checkoutUrl } = await orders.place(product);
    // A script gets only the path, because the browser may have opened the shop under another name than the one in `checkoutUrl`.
    return isForScript
      ? jsonAnswer(201, { checkoutUrl: new URL(checkoutUrl).pathname })
      : pageAnswer(303, 'text/plain', '', { location: checkoutUrl });
  } catch (error) {
    return jsonAnswer(502, { message: error instanceof Error ? error.message : 'The checkout was not started.' });
  }
};

/** Serves the demo shop: its page, its orders, and the start of a checkout. */
export const shopRoutes =
  (orders: Orders): Answerer =>
  async ({ method, path, headers, body }) => {
    switch (`${method} ${path}`) {
      case `GET ${SHOP_PATH}`:
        return pageAnswer(200, 'text/html; charset=utf-8', shopPage(PRODUCTS, orders.list()), {
          'content-security-policy': SHOP_POLICY,
        });
      case `GET ${SHOP_PATH}/pay`:
        if (isCausedByOtherSite({ headers })) return pageAnswer(303, 'text/plain', '', { location: SHOP_PATH });
        return placeOrder(orders, PRODUCTS[0]?.id ?? null, false);
      case `GET ${SHOP_PATH}/orders`:
        return jsonAnswer(200, { html: orderList(orders.list()) });
      case `POST ${SHOP_PATH}/orders`:
        return placeOrder(
          orders,
          new URLSearchParams(body.toString()).get('product'),
          String(headers.accept).includes('application/json'),
        );
      default:
        return gatewayAnswer(404, 'Not Found');
    }
  };
