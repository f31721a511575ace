import { List } from './list.ts';
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  fetchData,
  parseBody,
  type Send,
  transport,
} from './transport.ts';
import type * as api from './types.ts';
import { unwrap } from './webhooks.ts';

type ReadOptions = Pick<CallOptions, 'signal'>;

/** Encodes a part of a path, which may have any characters. */
const encodePart = (value: string): string => encodeURIComponent(value);

const read = (path: string, query?: object): Call => ({ method: 'GET', path, query, repeatable: 'always' });
/** A POST that an Idempotency-Key makes safe to repeat. */
const post = (path: string, body?: object): Call => ({ method: 'POST', path, body, repeatable: 'by_key' });

/** Requests for one payment by bank transfer. */
const checkouts = (send: Send) => ({
  /** Starts a checkout: show its account to the payer, or send the payer to its `checkout_url`. */
  initialize: (body: api.InitializeCheckoutRequest, options?: CallOptions) =>
    fetchData<api.Checkout>(send, post('/checkout/initialize', body), options),
  /** Reads the present state of a checkout. Compare `paid_amount` with your order before you ship. */
  verify: (reference: string, options?: ReadOptions) =>
    fetchData<api.Checkout>(send, read(`/checkout/verify/${encodePart(reference)}`), options),
  list: (query?: api.ListCheckoutsQuery, options?: ReadOptions) =>
    new List<api.Checkout>(send, '/checkouts', query, options),
  /** Ends a checkout that has no money. */
  expire: (reference: string, options?: CallOptions) =>
    fetchData<api.Checkout>(send, post(`/checkouts/${encodePart(reference)}/expire`), options),
  /** Opens another account at another provider, if routing is on for your business. Money on each of `accounts` counts. */
  openAnotherAccount: (reference: string, options?: CallOptions) =>
    fetchData<api.Checkout>(send, post(`/checkouts/${encodePart(reference)}/another-account`), options),
  /** Asks the checkout's provider now, at most once in ten seconds. */
  requery: (reference: string, options?: ReadOptions) =>
    fetchData<api.Checkout>(
      send,
      { method: 'POST', path: `/checkouts/${encodePart(reference)}/requery`, repeatable: 'always' },
      options,
    ),
  /** Simulates a bank transfer in test mode. */
  simulate: (body: api.SimulateCheckoutPaymentRequest, options?: CallOptions) =>
    fetchData<api.Checkout>(send, post('/checkout/sandbox/simulate', body), options),
});

/** Accounts of your customers, which take any number of transfers. */
const virtualAccounts = (send: Send) => ({
  /** Opens an account at each of the providers that you name in `banks`, or at the one in `provider`. Some may fail: see `errors`. */
  create: async (body: api.CreateVirtualAccountsRequest, options?: CallOptions) =>
    parseBody<api.CreatedVirtualAccounts>(await send(post('/virtual-accounts', body), options)),
  list: (query?: api.ListVirtualAccountsQuery, options?: ReadOptions) =>
    new List<api.VirtualAccount>(send, '/virtual-accounts', query, options),
  get: (id: string, options?: ReadOptions) =>
    fetchData<api.VirtualAccount>(send, read(`/virtual-accounts/${encodePart(id)}`), options),
  deactivate: (id: string, query?: api.DeleteVirtualAccountQuery, options?: ReadOptions) =>
    fetchData<api.VirtualAccount>(
      send,
      { method: 'DELETE', path: `/virtual-accounts/${encodePart(id)}`, query, repeatable: 'always' },
      options,
    ),
  payments: (id: string, query?: api.ListVirtualAccountPaymentsQuery, options?: ReadOptions) =>
    new List<api.RecordedPayment>(send, `/virtual-accounts/${encodePart(id)}/payments`, query, options),
  /** Simulates a transfer to the account in test mode. */
  simulate: (id: string, body: api.SimulateVirtualAccountPaymentRequest, options?: CallOptions) =>
    fetchData<api.RecordedPayment>(send, post(`/virtual-accounts/${encodePart(id)}/sandbox/simulate`, body), options),
});

/** Transfers that arrived, on checkouts and virtual accounts. */
const payments = (send: Send) => ({
  list: (query?: api.ListPaymentsQuery, options?: ReadOptions) =>
    new List<api.RecordedPayment>(send, '/payments', query, options),
  get: (id: string, options?: ReadOptions) =>
    fetchData<api.RecordedPayment>(send, read(`/payments/${encodePart(id)}`), options),
  /** Exports payments as a CSV file, in parts that follow each other. Only the first part has the header row. */
  async *export(query: api.ExportPaymentsQuery = {}, options?: ReadOptions): AsyncGenerator<string, void, undefined> {
    let cursor = query.cursor ?? null;
    let isFirst = true;
    do {
      const { text, headers } = await send(read('/payments/export', { ...query, cursor }), options);
      yield isFirst ? text : text.slice(text.indexOf('\n') + 1);
      cursor = headers.get('x-next-cursor');
      isFirst = false;
    } while (cursor !== null);
  },
  /** Sums up the payments of each day in Lagos. */
  totals: (query: api.GetTotalsQuery, options?: ReadOptions) =>
    fetchData<api.DailyTotal[]>(send, read('/totals', query), options),
});

/** The companies that issue account numbers. */
const providers = (send: Send) => ({
  /** Lists the providers, and whether money arrives at each of them. */
  list: (options?: ReadOptions) => fetchData<api.ProviderHealth[]>(send, read('/providers'), options),
});

/** The addresses that get your webhooks. */
const webhookEndpoints = (send: Send) => {
  const path = (id: string): string => `/webhook-endpoints/${encodePart(id)}`;
  return {
    /**
     * Creates an endpoint. Keep the secret: only this answer has it. The client does not repeat this call by itself, because each call makes
     * another endpoint.
     */
    create: (body: api.CreateWebhookEndpointRequest, options?: ReadOptions) =>
      fetchData<api.WebhookEndpointWithSecret>(
        send,
        { method: 'POST', path: '/webhook-endpoints', body, repeatable: 'never' },
        options,
      ),
    list: (options?: ReadOptions) => new List<api.WebhookEndpoint>(send, '/webhook-endpoints', {}, options),
    get: (id: string, options?: ReadOptions) => fetchData<api.WebhookEndpointWithHealth>(send, read(path(id)), options),
    /** Lists the deliveries that have not arrived at the endpoint. */
    deliveries: (id: string, query?: api.ListWebhookEndpointDeliveriesQuery, options?: ReadOptions) =>
      new List<api.WaitingDelivery>(send, `${path(id)}/deliveries`, query, options),
    update: (id: string, body: api.UpdateWebhookEndpointRequest, options?: ReadOptions) =>
      fetchData<api.WebhookEndpoint>(send, { method: 'PATCH', path: path(id), body, repeatable: 'always' }, options),
    delete: (id: string, options?: ReadOptions) =>
      fetchData<api.WebhookEndpoint>(send, { method: 'DELETE', path: path(id), repeatable: 'always' }, options),
    /**
     * Makes a new secret. For a while the old secret signs, too. The client does not repeat this call by itself, because each call makes
     * another secret.
     */
    rotateSecret: (id: string, body: api.RotateWebhookSecretRequest = {}, options?: ReadOptions) =>
      fetchData<api.WebhookEndpointWithSecret>(
        send,
        { method: 'POST', path: `${path(id)}/rotate-secret`, body, repeatable: 'never' },
        options,
      ),
    /** Sends a test event. With a test key the event may have any type. */
    test: (id: string, body: api.TestWebhookEndpointRequest = {}, options?: CallOptions) =>
      fetchData<api.WebhookEvent>(send, post(`${path(id)}/test`, body), options),
    /** Sends again the events that the endpoint missed after `since`. */
    recover: (id: string, body: api.RecoverWebhookEndpointRequest, options?: CallOptions) =>
      fetchData<api.Recovery>(send, post(`${path(id)}/recover`, body), options),
  };
};

/** Events, with the bodies that your webhooks have. */
const events = (send: Send) => ({
  list: (query?: api.ListEventsQuery, options?: ReadOptions) => new List<api.Event>(send, '/events', query, options),
  get: (id: string, options?: ReadOptions) =>
    fetchData<api.EventWithDeliveries>(send, read(`/events/${encodePart(id)}`), options),
  redeliver: (id: string, body: api.RedeliverEventRequest = {}, options?: CallOptions) =>
    fetchData<api.EventWithDeliveries>(send, post(`/events/${encodePart(id)}/redeliver`, body), options),
});

/** A client of the API with one key. */
export class Payments {
  readonly checkouts: ReturnType<typeof checkouts>;
  readonly virtualAccounts: ReturnType<typeof virtualAccounts>;
  readonly payments: ReturnType<typeof payments>;
  readonly providers: ReturnType<typeof providers>;
  readonly webhookEndpoints: ReturnType<typeof webhookEndpoints>;
  readonly events: ReturnType<typeof events>;
  /** Webhooks that you receive. They need no key. */
  static readonly webhooks = { unwrap };

  /**
   * @param key A secret key, only on servers. A public key starts checkouts in browsers; it needs `businessId`.
   * @throws TypeError without a key, for example if its environment variable is not set.
   */
  constructor(key: string | undefined, options: ClientOptions) {
    if (!key) throw new TypeError('There is no API key. Is its environment variable set?');
    const send = transport(key, options);
    this.checkouts = checkouts(send);
    this.virtualAccounts = virtualAccounts(send);
    this.payments = payments(send);
    this.providers = providers(send);
    this.webhookEndpoints = webhookEndpoints(send);
    this.events = events(send);
  }
}
