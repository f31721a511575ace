import type { HttpRequest } from '#infra/local/gateway/request.ts';
import type { Orders } from '#infra/local/shop/orders.ts';
import { SHOP_PATH, shopRoutes } from '#infra/local/shop/routes.ts';

/* The demo shop, with orders that start no checkout. */

const placedProducts: string[] = [];
const orders: Orders = {
  list: () => [],
  place: async (product) => {
    placedProducts.push(product.id);
    return { id: 'SHOP-1', product, checkoutUrl: 'http://127.0.0.1:3000/pay/PAY-1.x' };
  },
};
const ask = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
  shopRoutes(orders)({
    ...({ method, path: `${SHOP_PATH}${path}`, headers, body: Buffer.from(body) } satisfies Partial<HttpRequest>),
    id: '1',
    query: '',
    protocol: 'HTTP/1.1',
    sourceIp: '127.0.0.1',
    receivedAt: new Date(0),
  });
beforeEach(() => {
  placedProducts.length = 0;
});

test('the shop starts an order for its path /pay, and leads to the payment page', async () => {
  for (const headers of [{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }]) {
    expect(await ask('GET', '/pay', headers)).toMatchObject({
      status: 303,
      headers: { location: 'http://127.0.0.1:3000/pay/PAY-1.x' },
    });
  }
  expect(placedProducts).toHaveLength(3);
});

test('the shop starts no order for its path /pay from a link or a frame of another site', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const answer = await ask('GET', '/pay', { 'sec-fetch-site': site, 'sec-fetch-dest': 'iframe' });
    expect(answer).toMatchObject({ status: 303, headers: { location: SHOP_PATH } });
  }
  expect(placedProducts).toEqual([]);
});

test('the shop gives its own page only the path of a payment page, which works with any name of this machine', async () => {
  const answer = await ask('POST', '/orders', { accept: 'application/json' }, 'product=shea');
  expect(JSON.parse(String(answer.body))).toEqual({ checkoutUrl: '/pay/PAY-1.x' });
  expect((await ask('POST', '/orders', {}, 'product=nothing')).status).toBe(404);
});
