import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Inbox } from '#infra/local/inbox/store.ts';

/*
 * The server of the demo shop, as a merchant would write it. It starts checkouts with its secret key, and trusts only webhooks.
 */

/** A product of the shop. The price is in naira. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

export const PRODUCTS: readonly Product[] = [
  { id: 'ankara', name: 'Ankara fabric, six yards', price: 8_500.75 },
  { id: 'shea', name: 'Shea butter, 500 g', price: 3_200 },
  { id: 'talking-drum', name: 'Talking drum', price: 45_000 },
];

export interface Order {
  readonly id: string;
  readonly product: Product;
  readonly checkoutUrl: string;
}

/** The status of an order's checkout, such as `paid`; null before the first webhook. */
export type OrderStatus = string | null;

const startedCheckout = z.object({ data: z.object({ checkout_url: z.url() }) });
const apiError = z.object({ message: z.string() });
const orderEvent = z.object({
  data: z.object({ merchant_reference: z.string(), status: z.string(), version: z.number() }),
});

/** The most orders that the shop keeps. Orders are only in memory. */
const MAX_ORDERS = 50;

const TIMEOUT_MS = 10_000;

export const openOrders = (shop: { readonly baseUrl: string; readonly secretKey: string; readonly inbox: Inbox }) => {
  let orders: readonly Order[] = [];

  /** Reads the newest status of each order from verified webhooks. */
  const readStatuses = (): ReadonlyMap<string, OrderStatus> => {
    const newest = new Map<string, z.infer<typeof orderEvent>['data']>();
    for (const { verified, body } of shop.inbox.list()) {
      const event = verified ? orderEvent.safeParse(JSON.parse(body)) : undefined;
      if (!event?.success) continue;
      const { data } = event.data;
      const known = newest.get(data.merchant_reference);
      // Webhooks may arrive in any order, so the version decides.
      if (!known || known.version < data.version) newest.set(data.merchant_reference, data);
    }
    return new Map([...newest].map(([id, { status }]) => [id, status]));
  };

  const place = async (product: Product): Promise<Order> => {
    const id = `SHOP-${randomUUID().slice(0, 8)}`;
    const answer = await fetch(`${shop.baseUrl}/api/v1/checkout/initialize`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shop.secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': id,
      },
      body: JSON.stringify({
        amount: product.price,
        payer_email: 'tunde.bakare@example.com',
        payer_name: 'Tunde Bakare',
        merchant_reference: id,
        description: product.name,
        callback_url: `${shop.baseUrl}/_local/shop`,
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(apiError.safeParse(body).data?.message ?? `The API answered ${answer.status}.`);
    const order = { id, product, checkoutUrl: startedCheckout.parse(body).data.checkout_url };
    orders = [order, ...orders].slice(0, MAX_ORDERS);
    return order;
  };

  return {
    /** Newest first. */
    list: (): readonly (Order & { readonly status: OrderStatus })[] => {
      const statuses = readStatuses();
      return orders.map((order) => ({ ...order, status: statuses.get(order.id) ?? null }));
    },
    /**
     * Starts the checkout of an order.
     * @throws Error with the message of the API.
     */
    place,
  };
};

export type Orders = ReturnType<typeof openOrders>;
