import { readFileSync } from 'node:fs';
import { escapeHtml, htmlPage, pagePolicy } from '#infra/local/pages/html.ts';
import type { OrderStatus, Orders, Product } from './orders.ts';

const SCRIPT = readFileSync(new URL('./shop.js', import.meta.url), 'utf8');

/** Allows the page what every page here has, and the widget with its frame. */
export const SHOP_POLICY = pagePolicy(SCRIPT, { usesWidget: true });

const naira = new Intl.NumberFormat('en-NG', { minimumFractionDigits: 2 });

const product = ({ id, name, price }: Product): string => `
    <li>
      <div class="head"><h2>${escapeHtml(name)}</h2><span class="amount">₦${naira.format(price)}</span></div>
      <form method="post" action="/_local/shop/orders"><button name="product" value="${id}">Buy ${escapeHtml(name)}</button></form>
    </li>`;

const statusWords = (status: OrderStatus): string =>
  status === null ? 'Waiting for the money' : status === 'paid' ? 'Paid: we pack it' : `The payment is ${status}`;

/** The orders as the page lists them, with what webhooks have told of each. */
export const orderList = (orders: ReturnType<Orders['list']>): string =>
  orders.length === 0
    ? '<p class="quiet">No orders yet.</p>'
    : `<ol>${orders
        .map(
          ({ id, product: { name }, status, checkoutUrl }) =>
            `<li><div class="head"><h2>${escapeHtml(name)}</h2><strong>${escapeHtml(statusWords(status))}</strong></div><p class="quiet"><code>${escapeHtml(id)}</code> <a href="${escapeHtml(checkoutUrl)}">Payment page</a></p></li>`,
        )
        .join('')}</ol>`;

const ABOUT =
  'A shop of the demo business, in test mode. Its server starts each checkout with the secret key, the widget shows the payment page, and an order is paid when its webhook says so.';

/** The shop as a page. */
export const shopPage = (products: readonly Product[], orders: ReturnType<Orders['list']>): string =>
  htmlPage(
    'Demo shop',
    ABOUT,
    `<ol>${products.map(product).join('')}
  </ol>
  <p id="problem" role="alert"></p>
  <h2>Orders</h2>
  <div id="orders">${orderList(orders)}</div>
  <script src="/widget/v1.js"></script>`,
    SCRIPT,
  );
