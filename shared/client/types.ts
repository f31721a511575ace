/* Written by `npm run client:types` from the API document. */

/** Live mode moves money, test mode does not. */
export type Mode = 'live' | 'test';

/** Naira. */
export type Currency = 'NGN';

/** The company that issues an account. Providers may be added. */
export type Provider = 'paystack' | 'monnify' | 'korapay';

/** Created with a secret key, with a public key, or in the dashboard. */
export type CreatedWith = 'secret' | 'public' | 'dashboard';

/** The state of a checkout: see *Checkout states*. */
export type CheckoutStatus = 'pending' | 'underpaid' | 'paid' | 'expired' | 'failed';

/** The state of a virtual account. */
export type VirtualAccountStatus = 'active' | 'inactive' | 'pending' | 'failed';

/** `accepted` payments count. `rejected` and `reversed` payments were sent back. */
export type PaymentOutcome = 'accepted' | 'rejected' | 'reversed';

/** The simulated result: a transfer, or a failure. */
export type SimulatedResult = 'success' | 'failed';

/** The outcome of a simulated transfer to a virtual account. */
export type SimulatedTransferOutcome = 'accepted' | 'reversed';

/** The state of a delivery. */
export type DeliveryStatus = 'pending' | 'delivering' | 'parked' | 'succeeded' | 'exhausted' | 'cancelled';

/** The state of a delivery that has not arrived. */
export type WaitingDeliveryStatus = 'parked' | 'exhausted';

/** The health of the server behind an endpoint. */
export type EndpointHealthStatus = 'healthy' | 'failing' | 'suspended' | 'recovering';

/** The type of an event: see *Webhooks*. Types may be added. */
export type EventType =
  | 'checkout.paid'
  | 'checkout.overpaid'
  | 'checkout.underpaid'
  | 'checkout.payment_rejected'
  | 'checkout.payment_reversed'
  | 'checkout.failed'
  | 'checkout.expired'
  | 'virtual_account.payment_received'
  | 'virtual_account.payment_reversed'
  | 'virtual_account.activated'
  | 'virtual_account.failed'
  | 'endpoint.disabled'
  | 'endpoint.test';

/** An event type that an endpoint receives. `*` means all types, also those that are added later. */
export type Subscription =
  | '*'
  | 'checkout.paid'
  | 'checkout.overpaid'
  | 'checkout.underpaid'
  | 'checkout.payment_rejected'
  | 'checkout.payment_reversed'
  | 'checkout.failed'
  | 'checkout.expired'
  | 'virtual_account.payment_received'
  | 'virtual_account.payment_reversed'
  | 'virtual_account.activated'
  | 'virtual_account.failed'
  | 'endpoint.disabled'
  | 'endpoint.test';

/** The state of a provider. States may be added. */
export type ProviderState = 'healthy' | 'slow' | 'failing';

/** The reason why a provider opened no account: see *Partial failure: some banks opened, some did not*. Codes may be added. */
export type ProviderFailureCode =
  | 'provider_busy'
  | 'provider_not_enabled'
  | 'provider_refused'
  | 'provider_unreachable'
  | 'outcome_unknown';

/** The error codes of today, to compare `code` with. Codes may be added: handle an unknown code by its HTTP status. */
export type ErrorCode =
  | 'invalid_signature'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'public_key_not_permitted'
  | 'business_id_required'
  | 'business_id_mismatch'
  | 'ip_not_whitelisted'
  | 'simulation_requires_test_key'
  | 'malformed_json'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'validation_failed'
  | 'all_providers_failed'
  | 'checkout_not_found'
  | 'virtual_account_not_found'
  | 'payment_not_found'
  | 'event_not_found'
  | 'webhook_endpoint_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'checkout_not_payable'
  | 'nothing_to_reverse'
  | 'virtual_account_inactive'
  | 'duplicate_merchant_reference'
  | 'delivery_in_progress'
  | 'endpoint_limit_reached'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'provider_not_enabled'
  | 'no_other_provider'
  | 'provider_busy'
  | 'provider_error'
  | 'service_unavailable'
  | 'internal_error';

/** Any JSON object of at most 2 KiB. */
export type Metadata = Record<string, unknown>;

/** An event of a known type: `type` tells the form of `data`. New types may be added, so read an event as `Event` first. */
export type WebhookEvent =
  | CheckoutPaidEvent
  | CheckoutOverpaidEvent
  | CheckoutUnderpaidEvent
  | CheckoutPaymentRejectedEvent
  | CheckoutPaymentReversedEvent
  | CheckoutFailedEvent
  | CheckoutExpiredEvent
  | VirtualAccountPaymentReceivedEvent
  | VirtualAccountPaymentReversedEvent
  | VirtualAccountActivatedEvent
  | VirtualAccountFailedEvent
  | EndpointDisabledEvent
  | EndpointTestEvent;

export interface InitializeCheckoutRequest {
  /** The amount to collect, in naira: 1 to 100,000,000, with at most two decimals. In live mode providers have narrower limits: Paystack from 50 on, Monnify from 20 on, Korapay from 100 to 10,000,000. */
  amount: number;
  /** The payer’s e-mail address. A domain outside ASCII is stored in its `xn--` form. */
  payer_email: string;
  /** The payer’s name. */
  payer_name?: string | null | undefined;
  /** Only `NGN`. */
  currency?: Currency | null | undefined;
  /** The provider that issues the account: only this one is asked. Without `provider`, this service asks its default provider. If your business has routing on, this service may ask other providers instead, one after another, until one opens an account: see *When a provider fails*. The answer’s `provider` names the one that did. */
  provider?: Provider | null | undefined;
  /** Seconds until the checkout expires: 300 to 86,400, with a test key from 1. Default: 1,800. A provider may change it: the answer’s `expires_at` counts. */
  expires_in?: number | null | undefined;
  /** Your own reference, such as an order number, with at most 100 characters. It is stored trimmed and in Unicode NFC. Your servers can use it once in a mode, and again after its checkout has ended without money. */
  merchant_reference?: string | null | undefined;
  /** Any JSON object of at most 2 KiB. It comes back in answers and webhooks with the same members and values, but their order may change. The API refuses a member that is given twice, and a number that a 64-bit float cannot hold exactly, such as a long id: send ids as strings. */
  metadata?: Metadata | null | undefined;
  /** A text about the purchase for the payer, such as “Order 1042”. At most 120 characters. */
  description?: string | null | undefined;
  /** The URL that the payment page leads to after the payment: https, at most 500 characters, without a user name. In test mode also `http://localhost` and `http://127.0.0.1` on any port. **With a public key** it must be on one of your websites. The redirect **never carries a status**: see *Websites and return URLs*. */
  callback_url?: string | null | undefined;
  /** The URL that **Cancel** on the payment page leads to. The rules of `callback_url` apply. Default: `callback_url`; without both, the page has no **Cancel**. Cancelling does not change the checkout, and the payer may have paid already. */
  cancel_url?: string | null | undefined;
}

export interface SimulateCheckoutPaymentRequest {
  /** The `reference` of a test checkout. */
  reference: string;
  /** `success` (default): a transfer arrives. `failed`: a pending checkout fails. */
  status?: SimulatedResult | null | undefined;
  /** `accepted` (default): the transfer counts. `rejected`: the provider sends it back, for example because of a wrong amount; sum and status do not change. `reversed`: the newest accepted payment is returned whole, and the status is computed without it. */
  outcome?: PaymentOutcome | null | undefined;
  /** The amount of the transfer, in naira. Default: the amount that is still due. */
  amount?: number | undefined;
  /** `true`: the transfer comes after the expiry. It is made now (`paid_at`): if the `expires_at` of the account is in the future, `expires_at` is changed to the moment before it. If the transfer does not count, a pending checkout expires within a minute. */
  late?: boolean | null | undefined;
  /** The sender, as the bank would report it. Default: `Adaeze Okafor`. */
  sender_name?: string | null | undefined;
  /** The sender’s bank. Default: `Sandbox Bank`. */
  sender_bank?: string | null | undefined;
  /** The account, one of the checkout’s `accounts`, that the transfer goes to. Default: the current one. Leave it out with `status: failed` and with `outcome: reversed`. */
  account_number?: string | undefined;
}

export interface CreateVirtualAccountsRequest {
  /** The customer’s full name, at most 100 characters. */
  customer_name: string;
  /** A phone number in international form: `+` and 8 to 15 digits. After `+234` there are exactly ten digits, and the first is not 0. */
  customer_phone?: string | null | undefined;
  /** The customer’s e-mail address. A domain outside ASCII is stored in its `xn--` form. */
  customer_email?: string | null | undefined;
  /** Any JSON object of at most 2 KiB. It comes back in answers and webhooks with the same members and values, but their order may change. The API refuses a member that is given twice, and a number that a 64-bit float cannot hold exactly, such as a long id: send ids as strings. */
  metadata?: Metadata | null | undefined;
  /** The customer’s Bank Verification Number, 11 digits. We pass it on to the provider, and never store or log it. */
  bvn?: string | null | undefined;
  /** The customer’s National Identification Number, 11 digits. We pass it on to the provider, and never store or log it. */
  nin?: string | null | undefined;
  /** A bank account that the customer owns, for providers that must validate the customer. We pass it on to the provider, and never store or log it. */
  bank_account?: BankAccount | null | undefined;
  /** The providers to open accounts at: 1 to 10, without duplicates. Required if you do not send `provider`, and not allowed together with it. */
  banks?: Provider[] | null | undefined;
  /** The provider to open an account at. Required if you do not send `banks`, and not allowed together with it. */
  provider?: Provider | null | undefined;
}

/** A bank account that the customer owns. */
export interface BankAccount {
  /** The account number, 10 digits. */
  account_number: string;
  /** The code of the bank, 3 to 6 digits. */
  bank_code: string;
}

export interface SimulateVirtualAccountPaymentRequest {
  /** `accepted` (default): a transfer arrives. `reversed`: the newest accepted transfer is returned; send no `amount`. */
  outcome?: SimulatedTransferOutcome | null | undefined;
  /** The amount of the transfer, in naira: 0.01 to 100,000,000, with at most two decimals. Required unless `outcome` is `reversed`. */
  amount?: number | undefined;
  /** The sender, as the bank would report it. Default: `Adaeze Okafor`. */
  sender_name?: string | null | undefined;
  /** The sender’s bank. Default: `Sandbox Bank`. */
  sender_bank?: string | null | undefined;
}

export interface CreateWebhookEndpointRequest {
  /** The URL that receives webhooks: https, a public host name, port 443 or any port from 1024 on, no user name, no fragment. A local stack of this service (`npm start`) also takes http, `localhost` and IP addresses; the answer’s `message` then says that a deployed stage refuses such a URL. */
  url: string;
  /** The event types that it receives. `["*"]` means all types, also those that are added later. Default: all types. */
  events?: Subscription[] | null | undefined;
}

export interface UpdateWebhookEndpointRequest {
  /** The URL that receives webhooks: https, a public host name, port 443 or any port from 1024 on, no user name, no fragment. A local stack of this service (`npm start`) also takes http, `localhost` and IP addresses; the answer’s `message` then says that a deployed stage refuses such a URL. */
  url?: string | null | undefined;
  /** The event types that it receives. `["*"]` means all types, also those that are added later. */
  events?: Subscription[] | null | undefined;
  /** `false` disables the endpoint. `true` enables it again, and the parked deliveries are sent. */
  enabled?: boolean | null | undefined;
}

export interface RotateWebhookSecretRequest {
  /** The seconds for which the old secret still signs: 0 to 604,800. Default: 86,400, which is a day. */
  grace_seconds?: number | null | undefined;
}

export interface TestWebhookEndpointRequest {
  /** The type of the event. Default: `endpoint.test`, which is the only type with a live key. */
  type?: EventType | null | undefined;
}

export interface RecoverWebhookEndpointRequest {
  /** The time from which on events are sent again: ISO 8601 with a zone. */
  since: string;
}

export interface RedeliverEventRequest {
  /** Sends the event to this endpoint only, even if the event was not sent to it before. */
  endpoint_id?: string | null | undefined;
}

/** A request for one payment by bank transfer. */
export interface Checkout {
  /** The mode of the key that created it. */
  mode: Mode;
  /** Identifies the checkout. */
  reference: string;
  /** The amount that you asked for, in naira. */
  amount: number;
  /** The state of the checkout: see *Checkout states*. */
  status: CheckoutStatus;
  /** True while `status` is `paid`, else false. */
  paid: boolean;
  /** The payer’s e-mail address, as you sent it. A domain outside ASCII is in its `xn--` form. */
  payer_email: string;
  /** The sum of the accepted payments, in naira. Compare it with the amount of your own order. */
  paid_amount: number;
  /** The time of the payment that completed the amount; null before that payment. */
  paid_at: string | null;
  /** The sender of the payment that completed the amount, as the bank reports it; null before that payment, or if the bank does not report it. */
  sender_name: string | null;
  /** The bank of that sender; null before that payment, or if the bank is not reported. */
  sender_bank: string | null;
  /** Always `NGN`. */
  currency: Currency;
  /** The kind of API key that created it, or `dashboard` if one of your team did. With `public`, the amount and the `merchant_reference` come from a browser, where anyone can change them: see *Secret and public keys*. */
  created_with: CreatedWith;
  /** The address of the payment page, on the host that you called: send the payer there. Anyone who has it sees the amount and the account, but can change nothing. */
  checkout_url: string;
  /** The URL that the payment page leads to after the payment, as you sent it: see *Websites and return URLs*. */
  callback_url: string | null;
  /** The URL that **Cancel** on the payment page leads to, as you sent it. If it is null, **Cancel** leads to `callback_url`; if both are null, the page has no **Cancel**. */
  cancel_url: string | null;
  /** The text that the payer reads about the purchase, as you sent it. */
  description: string | null;
  /** The amount that the payer must transfer, in naira. Show this amount: a provider may expect it to the kobo. */
  amount_to_pay: number;
  /** The provider that issued the account. */
  provider: Provider;
  /** The number of the account that the payer transfers to. It belongs to this checkout only. */
  account_number: string;
  /** The name that the payer’s bank shows for the account: see *The name on the account*. */
  account_name: string;
  /** The bank of the account. */
  bank_name: string;
  /** The bank’s code; null if the provider does not report it, and always null in test mode. */
  bank_code: string | null;
  /** The payer’s name, as you sent it. */
  payer_name: string | null;
  /** Your own reference, trimmed and in Unicode NFC. With `created_with` `public`, anyone may have sent it. */
  merchant_reference: string | null;
  /** The data that you attached when you created it, with the members and values that you sent. */
  metadata: Metadata | null;
  /** The payer should pay before this time. The provider may have chosen another time than you asked for. */
  expires_at: string;
  /** The time when it was created. */
  created_at: string;
  /** Grows with every change. Webhooks can arrive out of order: ignore a version that is lower than one you have seen. */
  version: number;
  /** The latest 20 payments, newest first. `paid_amount` counts all payments; *Lists* says how to find the older ones. */
  payments: Payment[];
  /** `paid_amount` minus `amount`, in naira, exact to the kobo. It is negative while money is owed, and positive if too much was paid. */
  difference: number;
  /** All accounts that the payer was shown, oldest first: one, or up to three if other accounts were opened. Money on any of them counts. */
  accounts: CheckoutAccount[];
}

/** One bank transfer that arrived. */
export interface Payment {
  /** Identifies the payment. */
  id: string;
  /** The amount that landed, in naira. */
  amount: number;
  /** The provider’s fee for the payment, in naira; 0 if the provider does not report it. */
  fee: number;
  /** `accepted`: it counts. `rejected`: the provider sent it back on arrival. `reversed`: it counted first, and was returned later. */
  outcome: PaymentOutcome;
  /** The time of the transfer, as the provider reports it. */
  paid_at: string;
  /** True if the transfer was made after the `expires_at` of its account. A late payment counts like any other. Always false on a virtual account. */
  late: boolean;
  /** The sender, as the bank reports it. */
  sender_name: string | null;
  /** The sender’s bank. */
  sender_bank: string | null;
  /** The provider that received it. */
  provider: Provider;
  /** The provider’s reference. Two payments of a checkout may share one, so use `id` to tell payments apart. */
  provider_reference: string;
}

/** An account of a checkout that the payer was shown. */
export interface CheckoutAccount {
  /** The provider that issued the account. */
  provider: Provider;
  /** The account number. */
  account_number: string;
  /** The name on the account. */
  account_name: string;
  /** The bank of the account. */
  bank_name: string;
  /** The bank’s code; null if the provider does not report it, and always null in test mode. */
  bank_code: string | null;
  /** The amount that the payer must transfer to it, in naira. */
  amount_to_pay: number;
  /** The payer should pay before this time. The provider may have chosen another time than you asked for. */
  expires_at: string;
  /** True for the account that the payer is shown now. The checkout’s own fields are those of this account. */
  current: boolean;
}

/** An invalid field of the request, or a provider that failed. */
export interface ErrorDetail {
  /** The invalid field; absent if a provider failed. */
  field?: string | undefined;
  /** The provider that failed; absent if a field is invalid. */
  provider?: string | undefined;
  /** A sentence for people that says what is wrong. */
  message: string;
  /** The reason why the provider failed, for programs; absent if a field is invalid. Codes may be added. */
  code?: string | undefined;
  /** The `id` of the account if its outcome is not known yet, else absent. */
  virtual_account_id?: string | undefined;
}

/** The accounts that were opened. */
export interface CreatedVirtualAccounts {
  /** Always true: at least one account was opened. */
  status: boolean;
  /** A sentence for people. If a provider failed, it names the provider. */
  message: string;
  /** The customer’s name, as you sent it. */
  customer_name: string;
  /** The opened accounts, one for each provider that succeeded. */
  accounts: VirtualAccount[];
  /** One entry for each provider that opened no account; empty if all succeeded. */
  errors: ProviderFailure[];
}

/** A bank account number that belongs to one customer of yours. */
export interface VirtualAccount {
  /** Identifies the virtual account. */
  id: string;
  /** The provider that issued the account. */
  provider: Provider;
  /** The account number; null while `status` is `pending` or `failed`. */
  account_number: string | null;
  /** The name on the account; null while there is no number. */
  account_name: string | null;
  /** The bank of the account; null while there is no number. */
  bank_name: string | null;
  /** The bank’s code; null if the provider does not report it, and always null in test mode. */
  bank_code: string | null;
  /** The customer’s name, as you sent it. */
  customer_name: string;
  /** The customer’s phone number, as you sent it. */
  customer_phone: string | null;
  /** The customer’s e-mail address, as you sent it. A domain outside ASCII is in its `xn--` form. */
  customer_email: string | null;
  /** The data that you attached when you created it, with the members and values that you sent. */
  metadata: Metadata | null;
  /** The mode of the key that created it. */
  mode: Mode;
  /** `active`: it takes money. `inactive`: you deactivated it. `pending`: the provider has not said yet whether it exists. `failed`: it does not exist. */
  status: VirtualAccountStatus;
  /** The time when it was created. */
  created_at: string;
  /** The time when it was deactivated; null if it was not. */
  deactivated_at: string | null;
}

/** The reason why a provider opened no account. */
export interface ProviderFailure {
  /** The provider. */
  provider: Provider;
  /** The provider’s own message, or our sentence about the failure. */
  message: string;
  /** The reason as a code, for programs: see *Partial failure: some banks opened, some did not*. Codes may be added. */
  code: ProviderFailureCode;
  /** The `id` of the account if its outcome is not known yet, else absent. */
  virtual_account_id?: string | undefined;
}

/** A payment with the checkout or the virtual account that it belongs to. */
export interface RecordedPayment {
  /** Identifies the payment. */
  id: string;
  /** The amount that landed, in naira. */
  amount: number;
  /** The provider’s fee for the payment, in naira; 0 if the provider does not report it. */
  fee: number;
  /** `accepted`: it counts. `rejected`: the provider sent it back on arrival. `reversed`: it counted first, and was returned later. */
  outcome: PaymentOutcome;
  /** The time of the transfer, as the provider reports it. */
  paid_at: string;
  /** True if the transfer was made after the `expires_at` of its account. A late payment counts like any other. Always false on a virtual account. */
  late: boolean;
  /** The sender, as the bank reports it. */
  sender_name: string | null;
  /** The sender’s bank. */
  sender_bank: string | null;
  /** The provider that received it. */
  provider: Provider;
  /** The provider’s reference. Two payments of a checkout may share one, so use `id` to tell payments apart. */
  provider_reference: string;
  /** The mode that it landed in. */
  mode: Mode;
  /** Always `NGN`. */
  currency: Currency;
  /** The `reference` of its checkout; null if it is on a virtual account. */
  checkout_reference: string | null;
  /** The `merchant_reference` of its checkout; null if the checkout has none, or if the payment is on a virtual account. */
  merchant_reference: string | null;
  /** The `id` of its virtual account; null if it is on a checkout. */
  virtual_account_id: string | null;
  /** The time when we recorded it. Lists, filters and totals use this time. If a payment was returned in part, the payment of the kept rest has the `recorded_at` of the original. */
  recorded_at: string;
}

/** The payments of one day, by their `recorded_at` and their present outcome. */
export interface DailyTotal {
  /** The day in Lagos. */
  date: string;
  /** The number of accepted payments. */
  count: number;
  /** The sum of the accepted payments, in naira. */
  amount: number;
  /** The sum that providers sent back on arrival, in naira. */
  rejected: number;
  /** The sum that counted first and was returned later, in naira. If only a part of a payment was returned, the kept part is in `amount`. */
  reversed: number;
}

/** A webhook endpoint with its secret. */
export interface WebhookEndpointWithSecret {
  /** Identifies the endpoint. */
  id: string;
  /** The URL that webhooks are posted to. */
  url: string;
  /** The mode whose events it receives. */
  mode: Mode;
  /** The event types that it receives. `["*"]` means all types, also those that are added later. */
  events: Subscription[];
  /** True if it receives webhooks. */
  enabled: boolean;
  /** The reason why it is disabled; null while it is enabled. */
  disabled_reason: string | null;
  /** The time when it was created. */
  created_at: string;
  /** The secret that signs the webhooks of this endpoint. Store it now: it is not shown again. */
  secret: string;
}

/** A URL of yours that receives webhooks. */
export interface WebhookEndpoint {
  /** Identifies the endpoint. */
  id: string;
  /** The URL that webhooks are posted to. */
  url: string;
  /** The mode whose events it receives. */
  mode: Mode;
  /** The event types that it receives. `["*"]` means all types, also those that are added later. */
  events: Subscription[];
  /** True if it receives webhooks. */
  enabled: boolean;
  /** The reason why it is disabled; null while it is enabled. */
  disabled_reason: string | null;
  /** The time when it was created. */
  created_at: string;
}

/** A webhook endpoint with its health. */
export interface WebhookEndpointWithHealth {
  /** Identifies the endpoint. */
  id: string;
  /** The URL that webhooks are posted to. */
  url: string;
  /** The mode whose events it receives. */
  mode: Mode;
  /** The event types that it receives. `["*"]` means all types, also those that are added later. */
  events: Subscription[];
  /** True if it receives webhooks. */
  enabled: boolean;
  /** The reason why it is disabled; null while it is enabled. */
  disabled_reason: string | null;
  /** The time when it was created. */
  created_at: string;
  /** The health of your server. */
  health: EndpointHealth;
  /** The time until which the previous secret also signs; null if it does not sign any more. Another rotation ends it at once. */
  previous_secret_until: string | null;
}

/** The health of the server behind a webhook endpoint. */
export interface EndpointHealth {
  /** `healthy`; `failing`: the last attempts failed; `suspended`: it keeps failing, so deliveries wait, and one of them is tried now and then (see *Webhooks*); `recovering`: it works again, and the waiting deliveries are being sent. */
  status: EndpointHealthStatus;
  /** The time since which attempts have failed; null if the last one succeeded. */
  failing_since: string | null;
  /** The event whose delivery failed last: **Get an event** shows what your server answered. Null if the last attempt succeeded. */
  last_failed_event_id: string | null;
  /** The number of `parked` deliveries, counted up to 1,000. They wait until the endpoint works again or is enabled. */
  parked: number;
}

/** The result of a recovery. */
export interface Recovery {
  /** The number of deliveries that are being sent again, including those that were already waiting. */
  recovered: number;
  /** True if more are left than one call handles. Then call again with `next_since` as `since`. */
  more: boolean;
  /** Send this as `since` to continue; null if nothing is left. */
  next_since: string | null;
}

/** A delivery that has not arrived. */
export interface WaitingDelivery {
  /** Identifies the delivery. */
  id: string;
  /** The event that it delivers. */
  event_id: string;
  /** The type of that event. */
  event_type: EventType;
  /** `parked`: waits because its endpoint keeps failing or is disabled. `exhausted`: given up 72 hours after the first attempt. */
  status: WaitingDeliveryStatus;
  /** The number of attempts so far. */
  attempts: number;
  /** The last attempt; null if there was none. */
  last_attempt: Attempt | null;
  /** The time of the next attempt; null if none is planned. A `parked` delivery has none: it is sent when the endpoint answers with a 2xx again. */
  next_attempt_at: string | null;
}

/** One POST to an endpoint, and its result. */
export interface Attempt {
  /** The number of the attempt, from 1. */
  number: number;
  /** The time when it was made. */
  at: string;
  /** The HTTP status of your server’s answer; null if there was no answer. */
  status_code: number | null;
  /** The duration in milliseconds. */
  duration_ms: number;
  /** A sentence that says why there was no answer; null if there was one, whatever its status. */
  error: string | null;
  /** The first KiB of your server’s answer; null if there was no answer. */
  response: string | null;
}

/** The delivery of an event to an endpoint, in a list. */
export interface ListedDelivery {
  /** Identifies the delivery. */
  id: string;
  /** The endpoint that it goes to. */
  endpoint_id: string;
  /** `pending`: waits for its next attempt. `delivering`: is being sent. `parked`: waits because its endpoint keeps failing or is disabled. `succeeded`: your server answered with a 2xx. `exhausted`: given up 72 hours after the first attempt; you can still send it by hand. `cancelled`: its endpoint was deleted. */
  status: DeliveryStatus;
  /** The time of the next attempt; null if none is planned. */
  next_attempt_at: string | null;
}

/** The delivery of an event to an endpoint. */
export interface Delivery {
  /** Identifies the delivery. */
  id: string;
  /** The endpoint that it goes to. */
  endpoint_id: string;
  /** `pending`: waits for its next attempt. `delivering`: is being sent. `parked`: waits because its endpoint keeps failing or is disabled. `succeeded`: your server answered with a 2xx. `exhausted`: given up 72 hours after the first attempt; you can still send it by hand. `cancelled`: its endpoint was deleted. */
  status: DeliveryStatus;
  /** The newest attempts, in the order in which they were made: at most 20 of a delivery, and 100 of an event. The answer of **Redeliver an event** only has the last one. */
  attempts: Attempt[];
  /** The time of the next attempt; null if none is planned. */
  next_attempt_at: string | null;
}

/** The state of a provider. */
export interface ProviderHealth {
  /** The name of the provider. */
  provider: Provider;
  /** True if accounts can be opened there in the mode of the key. */
  enabled: boolean;
  /** `healthy`; `slow`: money lands much later than usual; `failing`: it opens no accounts, or money that was sent does not land. More states may be added. */
  state: ProviderState;
  /** Seconds from the payer’s transfer to our record of it, in the last half hour: half of the payments took at most `p50`, and 95 % took at most `p95`. Both are rounded up, and are 3,600 at most. Null if there were too few payments, or if the provider reports no time of payment. */
  landing_seconds: {
    p50: number;
    p95: number;
  } | null;
  /** The time since which it has been in this `state`; null if it is not known. */
  since: string | null;
}

export interface CheckoutPaidEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'checkout.paid';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

/** A checkout in a webhook. It has no `checkout_url`, because anyone who reads your logs could open that page, and no `callback_url` and `cancel_url`. */
export interface CheckoutInEvent {
  /** The mode of the key that created it. */
  mode: Mode;
  /** Identifies the checkout. */
  reference: string;
  /** The amount that you asked for, in naira. */
  amount: number;
  /** The state of the checkout: see *Checkout states*. */
  status: CheckoutStatus;
  /** True while `status` is `paid`, else false. */
  paid: boolean;
  /** The payer’s e-mail address, as you sent it. A domain outside ASCII is in its `xn--` form. */
  payer_email: string;
  /** The sum of the accepted payments, in naira. Compare it with the amount of your own order. */
  paid_amount: number;
  /** The time of the payment that completed the amount; null before that payment. */
  paid_at: string | null;
  /** The sender of the payment that completed the amount, as the bank reports it; null before that payment, or if the bank does not report it. */
  sender_name: string | null;
  /** The bank of that sender; null before that payment, or if the bank is not reported. */
  sender_bank: string | null;
  /** Always `NGN`. */
  currency: Currency;
  /** The kind of API key that created it, or `dashboard` if one of your team did. With `public`, the amount and the `merchant_reference` come from a browser, where anyone can change them: see *Secret and public keys*. */
  created_with: CreatedWith;
  /** The text that the payer reads about the purchase, as you sent it. */
  description: string | null;
  /** The amount that the payer must transfer, in naira. Show this amount: a provider may expect it to the kobo. */
  amount_to_pay: number;
  /** The provider that issued the account. */
  provider: Provider;
  /** The number of the account that the payer transfers to. It belongs to this checkout only. */
  account_number: string;
  /** The name that the payer’s bank shows for the account: see *The name on the account*. */
  account_name: string;
  /** The bank of the account. */
  bank_name: string;
  /** The bank’s code; null if the provider does not report it, and always null in test mode. */
  bank_code: string | null;
  /** The payer’s name, as you sent it. */
  payer_name: string | null;
  /** Your own reference, trimmed and in Unicode NFC. With `created_with` `public`, anyone may have sent it. */
  merchant_reference: string | null;
  /** The data that you attached when you created it, with the members and values that you sent. */
  metadata: Metadata | null;
  /** The payer should pay before this time. The provider may have chosen another time than you asked for. */
  expires_at: string;
  /** The time when it was created. */
  created_at: string;
  /** Grows with every change. Webhooks can arrive out of order: ignore a version that is lower than one you have seen. */
  version: number;
  /** The latest 20 payments, newest first. `paid_amount` counts all payments; *Lists* says how to find the older ones. */
  payments: Payment[];
  /** `paid_amount` minus `amount`, in naira, exact to the kobo. It is negative while money is owed, and positive if too much was paid. */
  difference: number;
  /** All accounts that the payer was shown, oldest first: one, or up to three if other accounts were opened. Money on any of them counts. */
  accounts: CheckoutAccount[];
}

export interface CheckoutOverpaidEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'checkout.overpaid';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutUnderpaidEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'checkout.underpaid';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutPaymentRejectedEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'checkout.payment_rejected';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutPaymentReversedEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'checkout.payment_reversed';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutFailedEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'checkout.failed';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutExpiredEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'checkout.expired';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface VirtualAccountPaymentReceivedEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'virtual_account.payment_received';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: PaymentOnVirtualAccount;
}

/** A payment on a virtual account that landed or was reversed. */
export interface PaymentOnVirtualAccount {
  /** The payment. */
  payment: Payment;
  /** The account that it was paid into. */
  virtual_account: VirtualAccount;
}

export interface VirtualAccountPaymentReversedEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'virtual_account.payment_reversed';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: PaymentOnVirtualAccount;
}

export interface VirtualAccountActivatedEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'virtual_account.activated';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: VirtualAccount;
}

export interface VirtualAccountFailedEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'virtual_account.failed';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: VirtualAccount;
}

export interface EndpointDisabledEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'endpoint.disabled';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: WebhookEndpoint;
}

export interface EndpointTestEvent {
  /** Identifies the event. It is the `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** The type of the event. */
  type: 'endpoint.test';
  /** The time when it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** The id of your business. */
  business_id: string;
  /** True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event. */
  example?: boolean | undefined;
  data: TestMessage;
}

/** The data of a test webhook. */
export interface TestMessage {
  /** A sentence for people. */
  message: string;
}

/** Something that happened. `type` tells what `data` holds. */
export type Event = WebhookEvent & { deliveries?: ListedDelivery[] | undefined };

/** An event with its deliveries: one for each endpoint that it went to. */
export type EventWithDeliveries = WebhookEvent & { deliveries: Delivery[] };

export interface ListCheckoutsQuery {
  /** The largest number of entries on a page: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. It is valid for this list, your business and this mode only. */
  cursor?: string | undefined;
  /** Only checkouts with this `merchant_reference`, in any Unicode form. */
  merchant_reference?: string | undefined;
  /** Only checkouts that now have this status. */
  status?: CheckoutStatus | undefined;
  /** Only checkouts with this `payer_email`. Case does not matter. */
  payer_email?: string | undefined;
  /** Only checkouts with this account number. Providers reuse numbers: the search looks at the newest 50 checkouts with the number, those of other businesses included, and lists yours. */
  account_number?: string | undefined;
  /** Only checkouts created at or after this time: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. */
  from?: string | undefined;
  /** Only checkouts created before this time. */
  to?: string | undefined;
}

export interface ListVirtualAccountsQuery {
  /** The largest number of entries on a page: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. It is valid for this list, your business and this mode only. */
  cursor?: string | undefined;
  /** Only the accounts of the customer with this e-mail address. */
  customer_email?: string | undefined;
  /** Only the account with this number. */
  account_number?: string | undefined;
}

export interface DeleteVirtualAccountQuery {
  /** The account’s provider. You may leave it out. If you send it, it must be the right one. */
  provider?: Provider | undefined;
}

export interface ListVirtualAccountPaymentsQuery {
  /** The largest number of entries on a page: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. It is valid for this list, your business and this mode only. */
  cursor?: string | undefined;
}

export interface PostDeleteVirtualAccountQuery {
  /** The account’s provider. You may leave it out. If you send it, it must be the right one. */
  provider?: Provider | undefined;
}

export interface ListPaymentsQuery {
  /** The largest number of entries on a page: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. It is valid for this list, your business and this mode only. */
  cursor?: string | undefined;
  /** Only payments whose `recorded_at` is this time or later: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. A reversal keeps the `recorded_at` of its payment. */
  from?: string | undefined;
  /** Only payments whose `recorded_at` is before this time. */
  to?: string | undefined;
  /** Only payments with this outcome. */
  outcome?: PaymentOutcome | undefined;
  /** Only payments of at least this amount, in naira. */
  min_amount?: number | undefined;
  /** Only payments of at most this amount, in naira. */
  max_amount?: number | undefined;
  /** Only payments whose `sender_name` contains this text. Case, accents and spaces do not matter: `jose nunez` finds `JOSÉ  NÚÑEZ`. */
  sender?: string | undefined;
  /** Only payments on checkouts with this `payer_email`, or on virtual accounts with this `customer_email`. */
  payer_email?: string | undefined;
}

export interface ExportPaymentsQuery {
  /** The `x-next-cursor` of the previous call. Send the same filters again. */
  cursor?: string | undefined;
  /** Only payments whose `recorded_at` is this time or later: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. A reversal keeps the `recorded_at` of its payment. */
  from?: string | undefined;
  /** Only payments whose `recorded_at` is before this time. */
  to?: string | undefined;
  /** Only payments with this outcome. */
  outcome?: PaymentOutcome | undefined;
  /** Only payments of at least this amount, in naira. */
  min_amount?: number | undefined;
  /** Only payments of at most this amount, in naira. */
  max_amount?: number | undefined;
  /** Only payments whose `sender_name` contains this text. Case, accents and spaces do not matter: `jose nunez` finds `JOSÉ  NÚÑEZ`. */
  sender?: string | undefined;
  /** Only payments on checkouts with this `payer_email`, or on virtual accounts with this `customer_email`. */
  payer_email?: string | undefined;
}

export interface GetTotalsQuery {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
}

export interface ListWebhookEndpointDeliveriesQuery {
  /** The largest number of entries on a page: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. It is valid for this list, your business and this mode only. */
  cursor?: string | undefined;
  /** `parked` (default) or `exhausted`. */
  status?: WaitingDeliveryStatus | undefined;
}

export interface ListEventsQuery {
  /** The largest number of entries on a page: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. It is valid for this list, your business and this mode only. */
  cursor?: string | undefined;
  /** Only events of this type. */
  type?: EventType | undefined;
  /** Only events with a delivery in this status, such as `exhausted`. */
  delivery_status?: DeliveryStatus | undefined;
  /** Only events at or after this time: ISO 8601 with a zone. */
  since?: string | undefined;
  /** Only events before this time: ISO 8601 with a zone. */
  until?: string | undefined;
  /** `true`: each event has its deliveries. Such a list counts as a search: see *Rate limits*. */
  deliveries?: boolean | undefined;
}
