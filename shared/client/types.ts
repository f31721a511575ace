/* Written by `npm run client:types` from the API document. */

/** Test mode moves no money. */
export type Mode = 'live' | 'test';

/** Naira. */
export type Currency = 'NGN';

/** Who issues an account. Answers may name a provider that is added later. */
export type Provider = 'paystack' | 'monnify' | 'korapay';

/** What a checkout was made with: a kind of API key, or the dashboard. */
export type CreatedWith = 'secret' | 'public' | 'dashboard';

/** The state of a checkout: see Checkout states. */
export type CheckoutStatus = 'pending' | 'underpaid' | 'paid' | 'expired' | 'failed';

/** The state of a virtual account. */
export type VirtualAccountStatus = 'active' | 'inactive' | 'pending' | 'failed';

/** Whether a payment counts, or what became of it. */
export type PaymentOutcome = 'accepted' | 'rejected' | 'reversed';

/** What is simulated: a transfer, or a failure. */
export type SimulatedResult = 'success' | 'failed';

/** What becomes of a simulated transfer to a virtual account. */
export type SimulatedTransferOutcome = 'accepted' | 'reversed';

/** The state of a delivery. */
export type DeliveryStatus = 'pending' | 'delivering' | 'parked' | 'succeeded' | 'exhausted' | 'cancelled';

/** Why a delivery has not arrived. */
export type WaitingDeliveryStatus = 'parked' | 'exhausted';

/** How the server behind an endpoint is doing. */
export type EndpointHealthStatus = 'healthy' | 'failing' | 'suspended' | 'recovering';

/** What happened: see Webhooks. Events may be of a type that is added later. */
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

/** A type of event that an endpoint receives; `*` stands for all, future ones included. */
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

/** Whether money lands at a provider. States may be added. */
export type ProviderState = 'healthy' | 'slow' | 'failing';

/** `provider_busy` and `provider_unreachable`: it did nothing, ask it again later. `outcome_unknown`: its account is pending, do not ask it again. `provider_refused` and `provider_not_enabled`: the same request will not succeed. Codes may be added. */
export type ProviderFailureCode =
  | 'provider_busy'
  | 'provider_not_enabled'
  | 'provider_refused'
  | 'provider_unreachable'
  | 'outcome_unknown';

/** The codes of this version, to compare `code` with. Codes may be added: for one that you do not know, use the HTTP status. */
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

/** An event of a type that this version has: `type` tells what `data` holds. Events may be of a type that is added later: read them as `Event` first. */
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
  /** What you want to collect, in naira: 1 to 100,000,000, at most two decimals. In live mode a provider takes less: Paystack from 50 on, Monnify from 20 on, Korapay from 100 to 10,000,000. */
  amount: number;
  /** The payer’s e-mail address. A domain that is not ASCII is kept as `xn--`. */
  payer_email: string;
  /** The payer’s name. */
  payer_name?: string | null | undefined;
  /** Only `NGN`. */
  currency?: Currency | null | undefined;
  /** Who issues the account. Left out: the default of this service, or another one while that fails, where your business has routing on (*When a provider fails*). `provider` of the answer names it. */
  provider?: Provider | null | undefined;
  /** Seconds until it expires, by default 1,800; at most 86,400, and with a live key at least 300. A provider may move the expiry: `expires_at` of the answer counts. */
  expires_in?: number | null | undefined;
  /** Your own reference, such as an order number. At most 100 characters. Space around it is dropped, and it is kept in Unicode NFC. In one mode your servers can use every reference once, and again when its checkout has ended without money. */
  merchant_reference?: string | null | undefined;
  /** Any JSON object of at most 2 KiB. It comes back in answers and webhooks with the same members and values; so a number that a 64-bit float cannot hold exactly, such as a long id, or a member twice is refused: send ids as strings. The order of members may change. */
  metadata?: Metadata | null | undefined;
  /** What the payer reads of what is paid for, such as “Order 1042”. At most 120 characters. */
  description?: string | null | undefined;
  /** Where the page at `checkout_url` leads once it is paid, by itself after eight seconds, or by a link without JavaScript: https, at most 500 characters, without a user name. In test mode also `http://localhost` and `http://127.0.0.1` on any port. **With a public key** it must be on one of your websites, since anyone can copy that key. Nothing in it is changed: `reference` and `trxref` come after your own query, **never a status**: verify the checkout before you hand anything over. */
  callback_url?: string | null | undefined;
  /** Where **Cancel** on the page leads; the same rules. Left out: `callback_url`; with neither, the page has no **Cancel**. It also gets `cancelled=true`. The payer may have paid all the same, and the checkout stays as it is. */
  cancel_url?: string | null | undefined;
}

export interface SimulateCheckoutPaymentRequest {
  /** The `reference` of a test checkout. */
  reference: string;
  /** `success`, the default: a transfer arrives. `failed`: a pending checkout fails. */
  status?: SimulatedResult | null | undefined;
  /** `accepted`, the default: the transfer counts. `rejected`: the provider sends it back, as it does with a wrong amount; nothing else changes. `reversed`: the newest accepted payment is returned whole, and the state is computed without it. */
  outcome?: PaymentOutcome | null | undefined;
  /** The amount of the transfer, in naira; by default what is still due. Less underpays, more overpays. */
  amount?: number | undefined;
  /** `true`: the transfer is made after the checkout’s expiry. Where that is still to come, the time of the checkout is over now: its `expires_at` becomes the moment before the transfer, whose `paid_at` is now. If the transfer does not count, a pending checkout expires with the next look at it, within a minute. */
  late?: boolean | null | undefined;
  /** The name of the sender, as the bank would report it; by default `Adaeze Okafor`. */
  sender_name?: string | null | undefined;
  /** The bank that the money comes from; by default `Sandbox Bank`. */
  sender_bank?: string | null | undefined;
  /** Which of the checkout’s `accounts` the transfer goes to; by default the one that the payer is shown now. Left out with `status: failed` and `outcome: reversed`. */
  account_number?: string | undefined;
}

export interface CreateVirtualAccountsRequest {
  /** The customer’s full name, at most 100 characters. */
  customer_name: string;
  /** A phone number in international form: `+` and 8 to 15 digits; after `+234` exactly ten, the first not 0. */
  customer_phone?: string | null | undefined;
  /** The customer’s e-mail address. A domain that is not ASCII is kept as `xn--`. */
  customer_email?: string | null | undefined;
  /** Any JSON object of at most 2 KiB. It comes back in answers and webhooks with the same members and values; so a number that a 64-bit float cannot hold exactly, such as a long id, or a member twice is refused: send ids as strings. The order of members may change. */
  metadata?: Metadata | null | undefined;
  /** The customer’s Bank Verification Number, 11 digits. Passed on to the provider; never stored, never logged. */
  bvn?: string | null | undefined;
  /** The customer’s National Identification Number, 11 digits. Passed on to the provider; never stored, never logged. */
  nin?: string | null | undefined;
  /** A bank account of the customer’s own, by which a provider may have to validate who they are. Passed on to the provider; never stored, never logged. */
  bank_account?: BankAccount | null | undefined;
  /** The providers to open accounts at, 1 to 10, without duplicates. Required unless you send `provider`; not together with it. */
  banks?: Provider[] | null | undefined;
  /** The provider to open an account at. Required unless you send `banks`; not together with it. */
  provider?: Provider | null | undefined;
}

/** A bank account of the customer’s own. */
export interface BankAccount {
  /** Its number, 10 digits. */
  account_number: string;
  /** The code of its bank, 3 to 6 digits. */
  bank_code: string;
}

export interface SimulateVirtualAccountPaymentRequest {
  /** `accepted`, the default: a transfer arrives. `reversed`: the newest accepted transfer is returned; send no `amount` then. */
  outcome?: SimulatedTransferOutcome | null | undefined;
  /** The amount of the transfer, in naira: 0.01 to 100,000,000, at most two decimals. Required, unless `outcome` is `reversed`. */
  amount?: number | undefined;
  /** Who pays, as the bank would report it; by default `Adaeze Okafor`. */
  sender_name?: string | null | undefined;
  /** The bank that the money comes from; by default `Sandbox Bank`. */
  sender_bank?: string | null | undefined;
}

export interface CreateWebhookEndpointRequest {
  /** Where to POST webhooks: an https URL with a public host name, port 443 or one from 1024 on, no user name, no fragment. A local stack of this service (`npm start`) also takes http, `localhost` and addresses, and says in `message` that no stage would. */
  url: string;
  /** The event types that it receives; `["*"]` is all of them, future ones included. Left out: all. */
  events?: Subscription[] | null | undefined;
}

export interface UpdateWebhookEndpointRequest {
  /** Where to POST webhooks: an https URL with a public host name, port 443 or one from 1024 on, no user name, no fragment. A local stack of this service (`npm start`) also takes http, `localhost` and addresses, and says in `message` that no stage would. */
  url?: string | null | undefined;
  /** The event types that it receives; `["*"]` is all of them, future ones included. */
  events?: Subscription[] | null | undefined;
  /** `false` disables it; `true` enables it again, and what waited follows. */
  enabled?: boolean | null | undefined;
}

export interface RotateWebhookSecretRequest {
  /** How long the old secret still signs: 0 to 604,800 seconds, by default 86,400, which is a day. */
  grace_seconds?: number | null | undefined;
}

export interface TestWebhookEndpointRequest {
  /** The type of the event: `endpoint.test` by default, and the only one with a live key. Another one is 422 with a list of those that it takes. */
  type?: EventType | null | undefined;
}

export interface RecoverWebhookEndpointRequest {
  /** Since when: ISO 8601 with a zone. */
  since: string;
}

export interface RedeliverEventRequest {
  /** Only to this endpoint, even if the event was not sent to it before. */
  endpoint_id?: string | null | undefined;
}

/** A request for one payment by bank transfer. */
export interface Checkout {
  /** The mode of the key that created it. */
  mode: Mode;
  /** Identifies the checkout. */
  reference: string;
  /** What you asked for, in naira. */
  amount: number;
  /** The state of the checkout: see Checkout states. */
  status: CheckoutStatus;
  /** True exactly while `status` is `paid`. */
  paid: boolean;
  /** The payer’s e-mail address, as you sent it; a domain that is not ASCII as `xn--`. */
  payer_email: string;
  /** The sum of the accepted payments, in naira. Compare it with the amount of your own order. */
  paid_amount: number;
  /** When the payment that completed it was made; null before. */
  paid_at: string | null;
  /** Who made the payment that completed it, as the bank reports it; null before, or if the bank does not report it. */
  sender_name: string | null;
  /** The bank of that sender; null before, or if it is not reported. */
  sender_bank: string | null;
  /** Always `NGN`. */
  currency: Currency;
  /** What it was created with: a secret or a public key, or the dashboard, by one of your team. `public`: anyone who opens your shop can send any amount and any `merchant_reference` in it. */
  created_with: CreatedWith;
  /** A page on which the payer pays: send it to them, or lead them there. It is at the address that you called. Whoever has it sees amount and account, and can change nothing. */
  checkout_url: string;
  /** Where the page leads once it is paid, as you sent it: by itself after eight seconds, or by a link without JavaScript. We add `reference` and `trxref` at the end of its query, never a status. */
  callback_url: string | null;
  /** Where **Cancel** on the page leads, as you sent it. Null: to `callback_url`, and without that there is no **Cancel**. We add `reference`, `trxref` and `cancelled=true` at the end of its query. */
  cancel_url: string | null;
  /** What the payer reads of what is paid for, as you sent it. */
  description: string | null;
  /** What the payer must transfer, in naira. Show this amount: a provider may expect it to the kobo. */
  amount_to_pay: number;
  /** The provider that issued the account. */
  provider: Provider;
  /** The account that the payer transfers to. It belongs to this checkout only. */
  account_number: string;
  /** The name on the account, which the payer’s bank shows: that of your business, or what the provider makes of it. */
  account_name: string;
  /** The bank that the account is at. */
  bank_name: string;
  /** The bank’s code if the provider reports it, else null. Always null in test mode. */
  bank_code: string | null;
  /** The payer’s name, as you sent it. */
  payer_name: string | null;
  /** Your own reference, trimmed and in Unicode NFC. A checkout `created_with` a public key may be anybody’s. */
  merchant_reference: string | null;
  /** What you attached when you created it, member by member as you sent it. */
  metadata: Metadata | null;
  /** Until when the payer should pay. The provider may have changed the time that you asked for. */
  expires_at: string;
  /** When it was created. */
  created_at: string;
  /** Grows with every change. Webhooks can arrive out of order: ignore one whose version is lower than one you have seen. */
  version: number;
  /** The latest 20 payments, newest first. `paid_amount` counts all payments; see *Lists* for how to find the others. */
  payments: Payment[];
  /** `paid_amount` less `amount`, in naira and to the kobo: negative while money is owed, 0 when it is exact, positive when too much was paid. */
  difference: number;
  /** Every account that the payer was shown, oldest first: one, and up to three where another account was asked for. Money on any of them counts. */
  accounts: CheckoutAccount[];
}

/** One bank transfer that arrived. */
export interface Payment {
  /** Identifies the payment. */
  id: string;
  /** What landed, in naira. */
  amount: number;
  /** What the provider charges for it, in naira. */
  fee: number;
  /** `accepted`; `rejected`: the provider returned it on arrival; `reversed`: accepted first, returned later. */
  outcome: PaymentOutcome;
  /** When it was made, as the provider reports it. */
  paid_at: string;
  /** It was made after the checkout’s `expires_at`. A late payment counts all the same. Always false on a virtual account. */
  late: boolean;
  /** Who made it, as the bank reports it. */
  sender_name: string | null;
  /** The bank that it came from. */
  sender_bank: string | null;
  /** The provider that received it. */
  provider: Provider;
  /** The provider’s reference of it. Two payments of a checkout may have the same one: `id` tells them apart. */
  provider_reference: string;
}

/** An account of a checkout that the payer was shown. */
export interface CheckoutAccount {
  /** The provider that issued the account. */
  provider: Provider;
  /** Its number. */
  account_number: string;
  /** The name on it. */
  account_name: string;
  /** The bank that it is at. */
  bank_name: string;
  /** The bank’s code if the provider reports it, else null. Always null in test mode. */
  bank_code: string | null;
  /** What the payer must transfer to it, in naira. */
  amount_to_pay: number;
  /** Until when the payer should pay. The provider may have changed the time that you asked for. */
  expires_at: string;
  /** Whether it is the one that the payer is shown now: its fields are those of the checkout. */
  current: boolean;
}

/** What is wrong with a field of the request, or at a provider. */
export interface ErrorDetail {
  /** The field; absent where a provider failed. */
  field?: string | undefined;
  /** The provider; absent where a field is wrong. */
  provider?: string | undefined;
  /** What is wrong, in a sentence for people. */
  message: string;
  /** Why the provider failed, for programs; absent where a field is wrong. Codes may be added. */
  code?: string | undefined;
  /** The account whose outcome is not known yet. Absent where there is none. */
  virtual_account_id?: string | undefined;
}

/** The accounts that were opened. */
export interface CreatedVirtualAccounts {
  /** Always true: at least one account was opened. */
  status: boolean;
  /** What was done, in a sentence for people. If a provider failed, it says which. */
  message: string;
  /** The customer’s name, as you sent it. */
  customer_name: string;
  /** The accounts that were opened, one for each provider that succeeded. */
  accounts: VirtualAccount[];
  /** Why the others have none; empty when every provider succeeded. */
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
  /** The bank that the account is at; null while there is no number. */
  bank_name: string | null;
  /** The bank’s code if the provider reports it, else null. Always null in test mode. */
  bank_code: string | null;
  /** The customer’s name, as you sent it. */
  customer_name: string;
  /** The customer’s phone number, as you sent it. */
  customer_phone: string | null;
  /** The customer’s e-mail address, as you sent it; a domain that is not ASCII as `xn--`. */
  customer_email: string | null;
  /** What you attached when you created it, member by member as you sent it. */
  metadata: Metadata | null;
  /** The mode of the key that created it. */
  mode: Mode;
  /** `active`; `inactive`: deactivated; `pending`: the provider has not said yet whether it exists; `failed`: it does not. */
  status: VirtualAccountStatus;
  /** When it was created. */
  created_at: string;
  /** When it was deactivated; null if it was not. */
  deactivated_at: string | null;
}

/** Why a provider has opened no account. */
export interface ProviderFailure {
  /** The provider. */
  provider: Provider;
  /** What it said, or that it did not answer in time. */
  message: string;
  /** Why, for programs: **Create virtual accounts** says what to do about each. Codes may be added: treat one that you do not know like `provider_refused`, and with a `virtual_account_id` like `outcome_unknown`. */
  code: ProviderFailureCode;
  /** The account whose outcome is not known yet. Absent where there is none. */
  virtual_account_id?: string | undefined;
}

/** A payment with the checkout or the virtual account that it is on. */
export interface RecordedPayment {
  /** Identifies the payment. */
  id: string;
  /** What landed, in naira. */
  amount: number;
  /** What the provider charges for it, in naira. */
  fee: number;
  /** `accepted`; `rejected`: the provider returned it on arrival; `reversed`: accepted first, returned later. */
  outcome: PaymentOutcome;
  /** When it was made, as the provider reports it. */
  paid_at: string;
  /** It was made after the checkout’s `expires_at`. A late payment counts all the same. Always false on a virtual account. */
  late: boolean;
  /** Who made it, as the bank reports it. */
  sender_name: string | null;
  /** The bank that it came from. */
  sender_bank: string | null;
  /** The provider that received it. */
  provider: Provider;
  /** The provider’s reference of it. Two payments of a checkout may have the same one: `id` tells them apart. */
  provider_reference: string;
  /** The mode that it landed in. */
  mode: Mode;
  /** Always `NGN`. */
  currency: Currency;
  /** The `reference` of the checkout that it is on; null if it is on a virtual account. */
  checkout_reference: string | null;
  /** The `merchant_reference` of that checkout; null if it has none, or the payment is on a virtual account. */
  merchant_reference: string | null;
  /** The `id` of the virtual account that it is on; null if it is on a checkout. */
  virtual_account_id: string | null;
  /** When we recorded it. Lists, filters and totals go by this time. What is kept of a payment that was returned in part has the time of that payment. */
  recorded_at: string;
}

/** What landed on one day, by the `recorded_at` and the present outcome of each payment. */
export interface DailyTotal {
  /** The day, in Lagos. */
  date: string;
  /** How many payments are accepted. */
  count: number;
  /** Their sum, in naira. */
  amount: number;
  /** What providers returned on arrival, in naira. */
  rejected: number;
  /** What was accepted first and returned later, in naira. A payment that was returned in part is in `amount` with what was kept. */
  reversed: number;
}

/** A webhook endpoint, this once with its secret. */
export interface WebhookEndpointWithSecret {
  /** Identifies the endpoint. */
  id: string;
  /** Where webhooks are posted. */
  url: string;
  /** The mode whose events it receives. */
  mode: Mode;
  /** The event types that it receives; `["*"]` is all of them, future ones included. */
  events: Subscription[];
  /** Whether it receives webhooks. */
  enabled: boolean;
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null;
  /** When it was created. */
  created_at: string;
  /** Signs the webhooks of this endpoint. Keep it now: it is never shown again. */
  secret: string;
}

/** A URL of yours that receives webhooks. */
export interface WebhookEndpoint {
  /** Identifies the endpoint. */
  id: string;
  /** Where webhooks are posted. */
  url: string;
  /** The mode whose events it receives. */
  mode: Mode;
  /** The event types that it receives; `["*"]` is all of them, future ones included. */
  events: Subscription[];
  /** Whether it receives webhooks. */
  enabled: boolean;
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null;
  /** When it was created. */
  created_at: string;
}

/** A webhook endpoint with its health. */
export interface WebhookEndpointWithHealth {
  /** Identifies the endpoint. */
  id: string;
  /** Where webhooks are posted. */
  url: string;
  /** The mode whose events it receives. */
  mode: Mode;
  /** The event types that it receives; `["*"]` is all of them, future ones included. */
  events: Subscription[];
  /** Whether it receives webhooks. */
  enabled: boolean;
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null;
  /** When it was created. */
  created_at: string;
  /** How your server is doing. */
  health: EndpointHealth;
  /** Until when the secret before the present one signs as well; null when it does not. Rotating again meanwhile ends it at once. */
  previous_secret_until: string | null;
}

/** How the server behind a webhook endpoint is doing. */
export interface EndpointHealth {
  /** `healthy`; `failing`: the last attempts failed; `suspended`: it keeps failing, so events wait and one of them is tried now and then (see *Webhooks*); `recovering`: it works again, and what waited is being sent. */
  status: EndpointHealthStatus;
  /** Since when attempts have failed; null when the last one succeeded. */
  failing_since: string | null;
  /** The event whose delivery failed last: **Get an event** has what your server answered. Null when the last attempt succeeded. */
  last_failed_event_id: string | null;
  /** How many deliveries are `parked` for it: they wait until it works again, or is enabled. At most 1,000 are counted. */
  parked: number;
}

/** How much is being sent again. */
export interface Recovery {
  /** How many deliveries are being sent again, including those that were already waiting. */
  recovered: number;
  /** Whether more remain than one call handles; if so, call again with `next_since` as `since`. */
  more: boolean;
  /** Send this as `since` to continue; null when there is no more. */
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
  /** `parked`: waits for an endpoint that keeps failing or is disabled; `exhausted`: not tried any more after 72 hours. */
  status: WaitingDeliveryStatus;
  /** How many attempts were started. */
  attempts: number;
  /** The last attempt; null when there was none. */
  last_attempt: Attempt | null;
  /** When the next attempt is due; null when none is planned. A `parked` delivery has none: it follows once the endpoint answers with a 2xx. */
  next_attempt_at: string | null;
}

/** One POST to an endpoint, and its result. */
export interface Attempt {
  /** Counts from 1. */
  number: number;
  /** When it was made. */
  at: string;
  /** The HTTP status that your server answered with; null when there was no answer. */
  status_code: number | null;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** Why there was no answer, in a sentence; null when there was one, whatever its status. */
  error: string | null;
  /** The first KiB of your server’s answer; null when there was none. */
  response: string | null;
}

/** How far an event has come on its way to an endpoint. */
export interface ListedDelivery {
  /** Identifies the delivery. */
  id: string;
  /** The endpoint that it goes to. */
  endpoint_id: string;
  /** `pending`: waits for its next attempt; `delivering`: is being sent; `parked`: waits for an endpoint that keeps failing or is disabled; `succeeded`; `exhausted`: not tried any more after 72 hours, can be sent again by hand; `cancelled`: its endpoint was deleted. */
  status: DeliveryStatus;
  /** When the next attempt is due; null when none is planned. */
  next_attempt_at: string | null;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  /** Identifies the delivery. */
  id: string;
  /** The endpoint that it goes to. */
  endpoint_id: string;
  /** `pending`: waits for its next attempt; `delivering`: is being sent; `parked`: waits for an endpoint that keeps failing or is disabled; `succeeded`; `exhausted`: not tried any more after 72 hours, can be sent again by hand; `cancelled`: its endpoint was deleted. */
  status: DeliveryStatus;
  /** The newest attempts, oldest of them first: up to 20 of each delivery and 100 of an event. The answer to **Redeliver an event** has the last one alone. */
  attempts: Attempt[];
  /** When the next attempt is due; null when none is planned. */
  next_attempt_at: string | null;
}

/** How a provider stands. */
export interface ProviderHealth {
  /** Its name. */
  provider: Provider;
  /** Whether accounts are opened there in the mode of the key. */
  enabled: boolean;
  /** `healthy`; `slow`: money lands much later than usual; `failing`: it opens no accounts, or money that was sent does not land. More states may be added. */
  state: ProviderState;
  /** Seconds from a payer’s payment to our record of it: half of the last half hour’s payments took `p50` at most, and 95 of a hundred `p95`. Both are rounded up, to 3,600 at most. Null where there are few, and where the provider names no time of payment. */
  landing_seconds: {
    p50: number;
    p95: number;
  } | null;
  /** When `state` began; null while nothing is known. */
  since: string | null;
}

export interface CheckoutPaidEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'checkout.paid';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

/** A checkout in a webhook: without `checkout_url`, which would let whoever reads your logs open the page, and without `callback_url` and `cancel_url`. */
export interface CheckoutInEvent {
  /** The mode of the key that created it. */
  mode: Mode;
  /** Identifies the checkout. */
  reference: string;
  /** What you asked for, in naira. */
  amount: number;
  /** The state of the checkout: see Checkout states. */
  status: CheckoutStatus;
  /** True exactly while `status` is `paid`. */
  paid: boolean;
  /** The payer’s e-mail address, as you sent it; a domain that is not ASCII as `xn--`. */
  payer_email: string;
  /** The sum of the accepted payments, in naira. Compare it with the amount of your own order. */
  paid_amount: number;
  /** When the payment that completed it was made; null before. */
  paid_at: string | null;
  /** Who made the payment that completed it, as the bank reports it; null before, or if the bank does not report it. */
  sender_name: string | null;
  /** The bank of that sender; null before, or if it is not reported. */
  sender_bank: string | null;
  /** Always `NGN`. */
  currency: Currency;
  /** What it was created with: a secret or a public key, or the dashboard, by one of your team. `public`: anyone who opens your shop can send any amount and any `merchant_reference` in it. */
  created_with: CreatedWith;
  /** What the payer reads of what is paid for, as you sent it. */
  description: string | null;
  /** What the payer must transfer, in naira. Show this amount: a provider may expect it to the kobo. */
  amount_to_pay: number;
  /** The provider that issued the account. */
  provider: Provider;
  /** The account that the payer transfers to. It belongs to this checkout only. */
  account_number: string;
  /** The name on the account, which the payer’s bank shows: that of your business, or what the provider makes of it. */
  account_name: string;
  /** The bank that the account is at. */
  bank_name: string;
  /** The bank’s code if the provider reports it, else null. Always null in test mode. */
  bank_code: string | null;
  /** The payer’s name, as you sent it. */
  payer_name: string | null;
  /** Your own reference, trimmed and in Unicode NFC. A checkout `created_with` a public key may be anybody’s. */
  merchant_reference: string | null;
  /** What you attached when you created it, member by member as you sent it. */
  metadata: Metadata | null;
  /** Until when the payer should pay. The provider may have changed the time that you asked for. */
  expires_at: string;
  /** When it was created. */
  created_at: string;
  /** Grows with every change. Webhooks can arrive out of order: ignore one whose version is lower than one you have seen. */
  version: number;
  /** The latest 20 payments, newest first. `paid_amount` counts all payments; see *Lists* for how to find the others. */
  payments: Payment[];
  /** `paid_amount` less `amount`, in naira and to the kobo: negative while money is owed, 0 when it is exact, positive when too much was paid. */
  difference: number;
  /** Every account that the payer was shown, oldest first: one, and up to three where another account was asked for. Money on any of them counts. */
  accounts: CheckoutAccount[];
}

export interface CheckoutOverpaidEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'checkout.overpaid';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutUnderpaidEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'checkout.underpaid';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutPaymentRejectedEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'checkout.payment_rejected';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutPaymentReversedEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'checkout.payment_reversed';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutFailedEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'checkout.failed';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface CheckoutExpiredEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'checkout.expired';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: CheckoutInEvent;
}

export interface VirtualAccountPaymentReceivedEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'virtual_account.payment_received';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: PaymentOnVirtualAccount;
}

/** Money that arrived on a virtual account, or left it. */
export interface PaymentOnVirtualAccount {
  /** The payment. */
  payment: Payment;
  /** The account that it was paid into. */
  virtual_account: VirtualAccount;
}

export interface VirtualAccountPaymentReversedEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'virtual_account.payment_reversed';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: PaymentOnVirtualAccount;
}

export interface VirtualAccountActivatedEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'virtual_account.activated';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: VirtualAccount;
}

export interface VirtualAccountFailedEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'virtual_account.failed';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: VirtualAccount;
}

export interface EndpointDisabledEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'endpoint.disabled';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: WebhookEndpoint;
}

export interface EndpointTestEvent {
  /** Identifies the event. The `webhook-id` header of every attempt to deliver it. */
  id: string;
  /** What happened. */
  type: 'endpoint.test';
  /** When it happened. */
  timestamp: string;
  /** The mode that it happened in. */
  mode: Mode;
  /** Your business. */
  business_id: string;
  /** True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event. */
  example?: boolean | undefined;
  data: TestMessage;
}

/** The data of a test webhook. */
export interface TestMessage {
  /** A sentence. */
  message: string;
}

/** Something that happened. `type` tells what `data` holds. */
export type Event = WebhookEvent & { deliveries?: ListedDelivery[] | undefined };

/** An event with its deliveries: one for each endpoint that it went to. */
export type EventWithDeliveries = WebhookEvent & { deliveries: Delivery[] };

export interface ListCheckoutsQuery {
  /** How many a page holds at most: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. It belongs to this list, your business and the mode. */
  cursor?: string | undefined;
  /** Only checkouts with this `merchant_reference`, however its accents are encoded. */
  merchant_reference?: string | undefined;
  /** Only checkouts that have this status now. */
  status?: CheckoutStatus | undefined;
  /** Only checkouts with this `payer_email`, in upper or lower case. */
  payer_email?: string | undefined;
  /** Only checkouts with this account number. Providers use a number again: of the newest 50 checkouts that had it, anybody’s, yours are found. */
  account_number?: string | undefined;
  /** Only checkouts with this `created_at` or a later one: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. */
  from?: string | undefined;
  /** Only checkouts with an earlier `created_at` than this. */
  to?: string | undefined;
}

export interface ListVirtualAccountsQuery {
  /** How many a page holds at most: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. It belongs to this list, your business and the mode. */
  cursor?: string | undefined;
  /** Only the accounts of the customer with this e-mail address. */
  customer_email?: string | undefined;
  /** Only the account with this number, such as one that a customer reads from a bank app. */
  account_number?: string | undefined;
}

export interface DeleteVirtualAccountQuery {
  /** The account’s provider. It may be left out; if it is sent, it must be the right one. */
  provider?: Provider | undefined;
}

export interface ListVirtualAccountPaymentsQuery {
  /** How many a page holds at most: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. It belongs to this list, your business and the mode. */
  cursor?: string | undefined;
}

export interface PostDeleteVirtualAccountQuery {
  /** The account’s provider. It may be left out; if it is sent, it must be the right one. */
  provider?: Provider | undefined;
}

export interface ListPaymentsQuery {
  /** How many a page holds at most: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. It belongs to this list, your business and the mode. */
  cursor?: string | undefined;
  /** Only payments with this `recorded_at` or a later one: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. A reversal keeps the `recorded_at` of its payment. */
  from?: string | undefined;
  /** Only payments with an earlier `recorded_at` than this. */
  to?: string | undefined;
  /** Only payments with this outcome. */
  outcome?: PaymentOutcome | undefined;
  /** Only payments of at least this amount, in naira. */
  min_amount?: number | undefined;
  /** Only payments of at most this amount, in naira. */
  max_amount?: number | undefined;
  /** Only payments whose `sender_name` has this in it, whatever its case, accents and spaces: `jose nunez` finds `JOSÉ  NÚÑEZ`. */
  sender?: string | undefined;
  /** Only payments on checkouts with this `payer_email`, or on virtual accounts with this `customer_email`. */
  payer_email?: string | undefined;
}

export interface ExportPaymentsQuery {
  /** The `x-next-cursor` of the call before, with the same filters. */
  cursor?: string | undefined;
  /** Only payments with this `recorded_at` or a later one: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. A reversal keeps the `recorded_at` of its payment. */
  from?: string | undefined;
  /** Only payments with an earlier `recorded_at` than this. */
  to?: string | undefined;
  /** Only payments with this outcome. */
  outcome?: PaymentOutcome | undefined;
  /** Only payments of at least this amount, in naira. */
  min_amount?: number | undefined;
  /** Only payments of at most this amount, in naira. */
  max_amount?: number | undefined;
  /** Only payments whose `sender_name` has this in it, whatever its case, accents and spaces: `jose nunez` finds `JOSÉ  NÚÑEZ`. */
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
  /** How many a page holds at most: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. It belongs to this list, your business and the mode. */
  cursor?: string | undefined;
  /** `parked`, unless you ask for `exhausted`. */
  status?: WaitingDeliveryStatus | undefined;
}

export interface ListEventsQuery {
  /** How many a page holds at most: 1 to 100. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. It belongs to this list, your business and the mode. */
  cursor?: string | undefined;
  /** Only events of this type. */
  type?: EventType | undefined;
  /** Only events with a delivery in this status, such as `exhausted`. */
  delivery_status?: DeliveryStatus | undefined;
  /** Only events since this time: ISO 8601 with a zone. */
  since?: string | undefined;
  /** Only events before this time: ISO 8601 with a zone. */
  until?: string | undefined;
  /** `true`: with the deliveries of each event. Such a list counts as a search (*Rate limits*). */
  deliveries?: boolean | undefined;
}
