import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Language, type Program, programPort, startProgram } from './guide-programs.ts';
import { eventually, type Merchant, openBusiness } from './merchant.ts';
import type { Target } from './stack.ts';

/** A fault: the service does the work, but the connection breaks before the answer. */
export const LOSE_THE_ANSWER = 'lose the answer';

/** An answer that the proxy gives itself. The service does not get the request. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code?: string;
  readonly retryAfter?: number;
}

/** The fault of one request that opens a checkout. */
export type Fault = typeof LOSE_THE_ANSWER | ErrorAnswer;

interface Opening {
  readonly key: string | undefined;
  readonly body: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a scene changes any field of this answer of the API.
type Checkout = any;

const PASSED_ON = ['authorization', 'content-type', 'idempotency-key'] as const;

const readHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));

const errorBody = ({ code }: ErrorAnswer): string =>
  code
    ? JSON.stringify({ status: false, message: 'Not now.', code, request_id: '4f1f7b0e' })
    : '<html>Bad gateway</html>';

/** Starts a proxy between a shop and the service. It records the requests that open a checkout, and plays their faults in turn. */
const startProxy = async (service: string) => {
  const openings: Opening[] = [];
  const faults: Fault[] = [];
  let change = (checkout: Checkout): Checkout => checkout;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = 'GET', url = '', headers } = incoming;
    const isOpening = url.endsWith('/checkout/initialize');
    if (isOpening) openings.push({ key: headers['idempotency-key'] as string | undefined, body });
    const fault = isOpening ? faults.shift() : undefined;
    if (fault && fault !== LOSE_THE_ANSWER) {
      const retryAfter = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      return response.writeHead(fault.status, retryAfter).end(errorBody(fault));
    }
    const answer = await fetch(service + url, { method, headers: readHeaders(incoming), ...(body && { body }) });
    let text = await answer.text();
    if (fault) return incoming.socket.destroy();
    if (url.includes('/verify/')) {
      const { data, ...rest } = JSON.parse(text);
      text = JSON.stringify({ ...rest, data: change(data) });
    }
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, { ...(retryAfter && { 'retry-after': retryAfter }) }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openings,
    faults,
    /** Changes the answer to **Verify a checkout** from now on. */
    verifyAs: (how: typeof change) => {
      change = how;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

export interface ShopScene {
  readonly merchant: Merchant;
  readonly shop: Program;
  readonly secret: string;
  readonly proxy: Awaited<ReturnType<typeof startProxy>>;
  /** Presses the button of an order, or opens its page. */
  order(method: 'GET' | 'POST', id?: string): Promise<{ readonly status: number; readonly view: Checkout }>;
  pay(body: object): Promise<unknown>;
  /** Waits until a merchant_reference has `count` checkouts. Lists them, newest first. */
  checkouts(reference: string, count: number): Promise<readonly Checkout[]>;
  /** Waits until this many events have reached their endpoints. */
  delivered(count: number): Promise<unknown>;
}

/** Reads the order number that a shop sent when it opened its first checkout. */
export const readOrderNumber = ({ proxy }: ShopScene): string =>
  JSON.parse(proxy.openings[0]?.body ?? '{}').merchant_reference;

/** Opens a business, and starts a shop of the guide that takes money for it. Stops the shop after `play`. */
export const withShop = async (
  target: Target,
  language: Language,
  play: (scene: ShopScene) => Promise<void>,
): Promise<void> => {
  const merchant = await openBusiness(target, `Shop in ${language}`);
  const port = await programPort();
  const { json } = await merchant.api('POST', '/webhook-endpoints', {
    body: { url: `http://127.0.0.1:${port}/webhooks` },
  });
  const { secret } = json.data;
  const proxy = await startProxy(target.baseUrl);
  const shop = await startProgram(language, 'shop', port, {
    PAYMENTS_URL: proxy.url,
    PAYMENTS_KEY: merchant.secretTest.key,
    WEBHOOK_SECRET: secret,
  });
  try {
    await play({
      merchant,
      shop,
      secret,
      proxy,
      order: async (method, id = '417') => {
        const response = await fetch(`${shop.url}/orders/${id}`, { method });
        return { status: response.status, view: await response.json() };
      },
      pay: (body) => merchant.api('POST', '/checkout/sandbox/simulate', { body }),
      checkouts: (reference, count) =>
        eventually(`the list has ${count} checkouts of ${reference}`, async () => {
          const answer = await merchant.api('GET', `/checkouts?merchant_reference=${reference}`);
          return answer.json.data.length === count ? answer.json.data : undefined;
        }),
      delivered: (count) =>
        eventually(`${count} events are delivered`, async () => {
          const answer = await merchant.api('GET', '/events?delivery_status=succeeded');
          return answer.json.data.length === count;
        }),
    });
  } finally {
    await shop.stop();
    proxy.stop();
  }
};
