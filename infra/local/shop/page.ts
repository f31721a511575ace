import { readFileSync } from 'node:fs';
import { escapeHtml, htmlPage, pagePolicy } from '#infra/local/pages/html.ts';
import type { OrderStatus, Orders, Product } from './orders.ts';

const SCRIPT = readFileSync(new URL('./shop.js', import.meta.url), 'utf8');

/** Allows the widget and its frame, in addition to the policy of every local page. */
export const SHOP_POLICY = pagePolicy(SCRIPT, { usesWidget: true });

const naira = new Intl.NumberFormat('en-NG', { minimumFractionDigits: 2 });

const formatProduct = ({ id, name, price }: Product): string => `
    <li>
      <div class="head"><h2>${escapeHtml(name)}</h2><span class="amount">₦${naira.format(price)}</span></div>
      <form method="post" action="/_local/shop/orders"><button name="product" value="${id}">Buy ${escapeHtml(name)}</button></form>
    </li>`;

const formatStatus = (status: OrderStatus): string =>
  status === null
    ? 'Waiting for the money'
    : status === 'paid'
      ? 'Paid. We are packing it'
      : `The checkout is ${status}`;

/** Formats the orders with their statuses. */
export const orderList = (orders: ReturnType<Orders['list']>): string =>
  orders.length === 0
    ? '<p class="quiet">No orders yet.</p>'
    : `<ol>${orders
        .map(
          ({ id, product: { name }, status, checkoutUrl }) =>
            `<li><div class="head"><h2>${escapeHtml(name)}</h2><strong>${escapeHtml(formatStatus(status))}</strong></div><p class="quiet"><code>${escapeHtml(id)}</code> <a href="${escapeHtml(checkoutUrl)}">Payment page</a></p></li>`,
        )
        .join('')}</ol>`;

const ABOUT =
  'This is a shop of the demo business, in test mode. Its server starts each checkout with the secret key. The widget shows the payment page. An order is paid when its webhook says so.';

/** Makes the page of the shop. */
export const shopPage = (products: readonly Product[], orders: ReturnType<Orders['list']>): string =>
  htmlPage(
    'Demo shop',
    ABOUT,
    `<ol>${products.map(formatProduct).join('')}
  </ol>
  <p id="problem" role="alert"></p>
  <h2>Orders</h2>
  <div id="orders">${orderList(orders)}</div>
  <script src="/widget/v1.js"></script>`,
    SCRIPT,
  );
