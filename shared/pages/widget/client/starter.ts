import { nameCheckout, type Options, toRequestBody } from './options.ts';

/** An error for the merchant's page: an API error, or one of the widget itself. */
export class WidgetError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface StartedCheckout {
  readonly name: string;
  /** The URL of the payment page. */
  readonly url: Promise<string>;
}

/**
 * Milliseconds in which the same options start only one checkout. Without this a component that opens the widget would start two, because React's
 * strict mode mounts it twice.
 */
const SAME_WITHIN = 5_000;

const request = async (api: string, options: Options, idempotencyKey: string): Promise<string> => {
  const answer = await fetch(`${api}/api/v1/checkout/initialize`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${options.key}`,
      'x-business-id': String(options.businessId),
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: toRequestBody(options),
  }).catch(() => {
    throw new WidgetError('network_error', 'The payment service could not be reached. Try again.');
  });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const [first] = body.errors ?? [];
    throw new WidgetError(
      body.code ?? 'network_error',
      first?.message ?? body.message ?? 'The checkout was not started. Try again.',
    );
  }
  return body.data.checkout_url;
};

/**
 * Makes a function that starts checkouts. If it gets the same options again within five seconds, it starts no second checkout. `api` is the
 * origin of the service.
 */
export const createStarter = (api: string, newKey: () => string) => {
  let last: (StartedCheckout & { at: number }) | undefined;
  return (options: Options, now: number): Promise<string> => {
    const name = nameCheckout(options);
    if (last?.name === name && now - last.at < SAME_WITHIN) return last.url;
    const url = request(api, options, newKey());
    const started = { name, url, at: now };
    last = started;
    // After a failure the same options may be tried again at once.
    url.catch(() => {
      if (last === started) last = undefined;
    });
    return url;
  };
};
