import type * as z from 'zod/mini';
import { accountAnswer, checkoutAnswer, checkoutInEvent } from '#shared/checkouts/contract/checkout-answer.ts';
import { totalOfDay } from '#shared/payments/contract/get-totals.ts';
import { paymentAnswer } from '#shared/payments/contract/payment-answer.ts';
import { recordedPaymentAnswer } from '#shared/payments/contract/recorded-payment-answer.ts';
import { errorBody, errorDetail } from '#shared/platform/contract/errors.ts';
import { listMeta } from '#shared/platform/contract/list.ts';
import { providerStanding } from '#shared/providers/contract/list-providers.ts';
import {
  createVirtualAccountsContract,
  providerFailure,
} from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import { bankAccount } from '#shared/virtual-accounts/contract/customer-fields.ts';
import { virtualAccountAnswer } from '#shared/virtual-accounts/contract/virtual-account-answer.ts';
import {
  attemptAnswer,
  deliveryAnswer,
  eventWithDeliveries,
  listedDelivery,
  listedEvent,
  waitingDelivery,
} from '#shared/webhooks/contract/delivery-answer.ts';
import {
  endpointAnswer,
  endpointAnswerWithHealth,
  endpointAnswerWithSecret,
  endpointHealth,
} from '#shared/webhooks/contract/endpoint-answer.ts';
import { recovery } from '#shared/webhooks/contract/recover-webhook-endpoint.ts';
import { paymentOnVirtualAccount, testMessage } from '#shared/webhooks/contract/webhooks.ts';
import { enumerationSchemas } from './enumerations.ts';
import { nameSchema } from './named-bodies.ts';

/** A schema of the contract with its name in the document and a description of each field. */
export interface Component {
  readonly id: string;
  readonly schema: z.ZodMiniObject;
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A component of the document. A field without a description, or a description without a field, fails the type check. */
const component = <S extends z.ZodMiniObject>(
  schema: S,
  id: string,
  description: string,
  fields: Readonly<Record<keyof z.infer<S>, string>>,
): Component => ({ id, schema, description, fields: fields as Readonly<Record<string, string>> });

const OF_PROVIDER = 'The provider that issued the account.';
const BANK_CODE = 'The bank’s code if the provider reports it, else null. Always null in test mode.';
const METADATA = 'What you attached when you created it, member by member as you sent it.';

const endpointFields = {
  id: 'Identifies the endpoint.',
  url: 'Where webhooks are posted.',
  mode: 'The mode whose events it receives.',
  events: 'The event types that it receives; `["*"]` is all of them, future ones included.',
  enabled: 'Whether it receives webhooks.',
  disabled_reason: 'Why it is disabled; null while it is enabled.',
  created_at: 'When it was created.',
};

const paymentFields = {
  id: 'Identifies the payment.',
  amount: 'What landed, in naira.',
  fee: 'What the provider charges for it, in naira.',
  outcome: '`accepted`; `rejected`: the provider returned it on arrival; `reversed`: accepted first, returned later.',
  paid_at: 'When it was made, as the provider reports it.',
  late: 'It was made after the checkout’s `expires_at`. A late payment counts all the same. Always false on a virtual account.',
  sender_name: 'Who made it, as the bank reports it.',
  sender_bank: 'The bank that it came from.',
  provider: 'The provider that received it.',
  provider_reference:
    'The provider’s reference of it. Two payments of a checkout may have the same one: `id` tells them apart.',
};

const EXPIRES_AT = 'Until when the payer should pay. The provider may have changed the time that you asked for.';

const checkoutFields = {
  mode: 'The mode of the key that created it.',
  reference: 'Identifies the checkout.',
  amount: 'What you asked for, in naira.',
  status: 'The state of the checkout: see Checkout states.',
  paid: 'True exactly while `status` is `paid`.',
  payer_email: 'The payer’s e-mail address, as you sent it; a domain that is not ASCII as `xn--`.',
  paid_amount: 'The sum of the accepted payments, in naira. Compare it with the amount of your own order.',
  paid_at: 'When the payment that completed it was made; null before.',
  sender_name:
    'Who made the payment that completed it, as the bank reports it; null before, or if the bank does not report it.',
  sender_bank: 'The bank of that sender; null before, or if it is not reported.',
  currency: 'Always `NGN`.',
  created_with:
    'What it was created with: a secret or a public key, or the dashboard, by one of your team. `public`: anyone who opens your shop can send any amount and any `merchant_reference` in it.',
  description: 'What the payer reads of what is paid for, as you sent it.',
  amount_to_pay: 'What the payer must transfer, in naira. Show this amount: a provider may expect it to the kobo.',
  provider: OF_PROVIDER,
  account_number: 'The account that the payer transfers to. It belongs to this checkout only.',
  account_name:
    'The name on the account, which the payer’s bank shows: that of your business, or what the provider makes of it.',
  bank_name: 'The bank that the account is at.',
  bank_code: BANK_CODE,
  payer_name: 'The payer’s name, as you sent it.',
  merchant_reference:
    'Your own reference, trimmed and in Unicode NFC. A checkout `created_with` a public key may be anybody’s.',
  metadata: METADATA,
  expires_at: EXPIRES_AT,
  created_at: 'When it was created.',
  version:
    'Grows with every change. Webhooks can arrive out of order: ignore one whose version is lower than one you have seen.',
  payments:
    'The latest 20 payments, newest first. `paid_amount` counts all payments; see *Lists* for how to find the others.',
  difference:
    '`paid_amount` less `amount`, in naira and to the kobo: negative while money is owed, 0 when it is exact, positive when too much was paid.',
  accounts:
    'Every account that the payer was shown, oldest first: one, and up to three where another account was asked for. Money on any of them counts.',
};

/** What the document says of an event's fields, in answers and in webhooks. */
export const eventFields = {
  id: 'Identifies the event. The `webhook-id` header of every attempt to deliver it.',
  type: 'What happened.',
  timestamp: 'When it happened.',
  mode: 'The mode that it happened in.',
  business_id: 'Your business.',
  example:
    'True for an example that you asked for with **Test a webhook endpoint**: nothing of it exists. Absent from every other event.',
  data: 'The object that the event is about, as it was then. Its form depends on `type`: see Webhooks.',
};

const deliveryFields = {
  id: 'Identifies the delivery.',
  endpoint_id: 'The endpoint that it goes to.',
  status:
    '`pending`: waits for its next attempt; `delivering`: is being sent; `parked`: waits for an endpoint that keeps failing or is disabled; `succeeded`; `exhausted`: not tried any more after 72 hours, can be sent again by hand; `cancelled`: its endpoint was deleted.',
  next_attempt_at: 'When the next attempt is due; null when none is planned.',
};

/** Every named schema of the document. */
export const COMPONENTS: readonly Component[] = [
  component(checkoutAnswer, 'Checkout', 'A request for one payment by bank transfer.', {
    ...checkoutFields,
    checkout_url:
      'A page on which the payer pays: send it to them, or lead them there. It is at the address that you called. Whoever has it sees amount and account, and can change nothing.',
    callback_url:
      'Where the page leads once it is paid, as you sent it: by itself after eight seconds, or by a link without JavaScript. We add `reference` and `trxref` at the end of its query, never a status.',
    cancel_url:
      'Where **Cancel** on the page leads, as you sent it. Null: to `callback_url`, and without that there is no **Cancel**. We add `reference`, `trxref` and `cancelled=true` at the end of its query.',
  }),
  component(
    checkoutInEvent,
    'CheckoutInEvent',
    'A checkout in a webhook: without `checkout_url`, which would let whoever reads your logs open the page, and without `callback_url` and `cancel_url`.',
    checkoutFields,
  ),
  component(accountAnswer, 'CheckoutAccount', 'An account of a checkout that the payer was shown.', {
    provider: OF_PROVIDER,
    account_number: 'Its number.',
    account_name: 'The name on it.',
    bank_name: 'The bank that it is at.',
    bank_code: BANK_CODE,
    amount_to_pay: 'What the payer must transfer to it, in naira.',
    expires_at: EXPIRES_AT,
    current: 'Whether it is the one that the payer is shown now: its fields are those of the checkout.',
  }),
  component(paymentAnswer, 'Payment', 'One bank transfer that arrived.', paymentFields),
  component(
    recordedPaymentAnswer,
    'RecordedPayment',
    'A payment with the checkout or the virtual account that it is on.',
    {
      ...paymentFields,
      mode: 'The mode that it landed in.',
      currency: 'Always `NGN`.',
      checkout_reference: 'The `reference` of the checkout that it is on; null if it is on a virtual account.',
      merchant_reference:
        'The `merchant_reference` of that checkout; null if it has none, or the payment is on a virtual account.',
      virtual_account_id: 'The `id` of the virtual account that it is on; null if it is on a checkout.',
      recorded_at:
        'When we recorded it. Lists, filters and totals go by this time. What is kept of a payment that was returned in part has the time of that payment.',
    },
  ),
  component(
    totalOfDay,
    'DailyTotal',
    'What landed on one day, by the `recorded_at` and the present outcome of each payment.',
    {
      date: 'The day, in Lagos.',
      count: 'How many payments are accepted.',
      amount: 'Their sum, in naira.',
      rejected: 'What providers returned on arrival, in naira.',
      reversed:
        'What was accepted first and returned later, in naira. A payment that was returned in part is in `amount` with what was kept.',
    },
  ),
  component(providerStanding, 'ProviderHealth', 'How a provider stands.', {
    provider: 'Its name.',
    enabled: 'Whether accounts are opened there in the mode of the key.',
    state:
      '`healthy`; `slow`: money lands much later than usual; `failing`: it opens no accounts, or money that was sent does not land. More states may be added.',
    landing_seconds:
      'Seconds from a payer’s payment to our record of it: half of the last half hour’s payments took `p50` at most, and 95 of a hundred `p95`. Both are rounded up, to 3,600 at most. Null where there are few, and where the provider names no time of payment.',
    since: 'When `state` began; null while nothing is known.',
  }),
  component(virtualAccountAnswer, 'VirtualAccount', 'A bank account number that belongs to one customer of yours.', {
    id: 'Identifies the virtual account.',
    provider: OF_PROVIDER,
    account_number: 'The account number; null while `status` is `pending` or `failed`.',
    account_name: 'The name on the account; null while there is no number.',
    bank_name: 'The bank that the account is at; null while there is no number.',
    bank_code: BANK_CODE,
    customer_name: 'The customer’s name, as you sent it.',
    customer_phone: 'The customer’s phone number, as you sent it.',
    customer_email: 'The customer’s e-mail address, as you sent it; a domain that is not ASCII as `xn--`.',
    metadata: METADATA,
    mode: 'The mode of the key that created it.',
    status:
      '`active`; `inactive`: deactivated; `pending`: the provider has not said yet whether it exists; `failed`: it does not.',
    created_at: 'When it was created.',
    deactivated_at: 'When it was deactivated; null if it was not.',
  }),
  component(bankAccount, 'BankAccount', 'A bank account of the customer’s own.', {
    account_number: 'Its number, 10 digits.',
    bank_code: 'The code of its bank, 3 to 6 digits.',
  }),
  component(createVirtualAccountsContract.success.body, 'CreatedVirtualAccounts', 'The accounts that were opened.', {
    status: 'Always true: at least one account was opened.',
    message: 'What was done, in a sentence for people. If a provider failed, it says which.',
    customer_name: 'The customer’s name, as you sent it.',
    accounts: 'The accounts that were opened, one for each provider that succeeded.',
    errors: 'Why the others have none; empty when every provider succeeded.',
  }),
  component(providerFailure, 'ProviderFailure', 'Why a provider has opened no account.', {
    provider: 'The provider.',
    message: 'What it said, or that it did not answer in time.',
    code: 'Why, for programs: **Create virtual accounts** says what to do about each. Codes may be added: treat one that you do not know like `provider_refused`, and with a `virtual_account_id` like `outcome_unknown`.',
    virtual_account_id: 'The account whose outcome is not known yet. Absent where there is none.',
  }),
  component(endpointAnswer, 'WebhookEndpoint', 'A URL of yours that receives webhooks.', endpointFields),
  component(endpointAnswerWithSecret, 'WebhookEndpointWithSecret', 'A webhook endpoint, this once with its secret.', {
    ...endpointFields,
    secret: 'Signs the webhooks of this endpoint. Keep it now: it is never shown again.',
  }),
  component(endpointAnswerWithHealth, 'WebhookEndpointWithHealth', 'A webhook endpoint with its health.', {
    ...endpointFields,
    health: 'How your server is doing.',
    previous_secret_until:
      'Until when the secret before the present one signs as well; null when it does not. Rotating again meanwhile ends it at once.',
  }),
  component(endpointHealth, 'EndpointHealth', 'How the server behind a webhook endpoint is doing.', {
    status:
      '`healthy`; `failing`: the last attempts failed; `suspended`: it keeps failing, so events wait and one of them is tried now and then (see *Webhooks*); `recovering`: it works again, and what waited is being sent.',
    failing_since: 'Since when attempts have failed; null when the last one succeeded.',
    last_failed_event_id:
      'The event whose delivery failed last: **Get an event** has what your server answered. Null when the last attempt succeeded.',
    parked:
      'How many deliveries are `parked` for it: they wait until it works again, or is enabled. At most 1,000 are counted.',
  }),
  component(waitingDelivery, 'WaitingDelivery', 'A delivery that has not arrived.', {
    id: 'Identifies the delivery.',
    event_id: 'The event that it delivers.',
    event_type: 'The type of that event.',
    status:
      '`parked`: waits for an endpoint that keeps failing or is disabled; `exhausted`: not tried any more after 72 hours.',
    attempts: 'How many attempts were started.',
    last_attempt: 'The last attempt; null when there was none.',
    next_attempt_at:
      'When the next attempt is due; null when none is planned. A `parked` delivery has none: it follows once the endpoint answers with a 2xx.',
  }),
  component(listedEvent, 'Event', 'Something that happened. Without `deliveries` it is the body of its webhooks.', {
    ...eventFields,
    deliveries: 'One for each endpoint that the event went to. Only with `deliveries=true`.',
  }),
  component(eventWithDeliveries, 'EventWithDeliveries', 'An event with its deliveries.', {
    ...eventFields,
    deliveries: 'One for each endpoint that the event went to.',
  }),
  component(listedDelivery, 'ListedDelivery', 'How far an event has come on its way to an endpoint.', deliveryFields),
  component(deliveryAnswer, 'Delivery', 'One event on its way to one endpoint.', {
    ...deliveryFields,
    attempts:
      'The newest attempts, oldest of them first: up to 20 of each delivery and 100 of an event. The answer to **Redeliver an event** has the last one alone.',
  }),
  component(attemptAnswer, 'Attempt', 'One POST to an endpoint, and its result.', {
    number: 'Counts from 1.',
    at: 'When it was made.',
    status_code: 'The HTTP status that your server answered with; null when there was no answer.',
    duration_ms: 'How long it took, in milliseconds.',
    error: 'Why there was no answer, in a sentence; null when there was one, whatever its status.',
    response: 'The first KiB of your server’s answer; null when there was none.',
  }),
  component(recovery, 'Recovery', 'How much is being sent again.', {
    recovered: 'How many deliveries are being sent again, including those that were already waiting.',
    more: 'Whether more remain than one call handles; if so, call again with `next_since` as `since`.',
    next_since: 'Send this as `since` to continue; null when there is no more.',
  }),
  component(
    paymentOnVirtualAccount,
    'PaymentOnVirtualAccount',
    'Money that arrived on a virtual account, or left it.',
    {
      payment: 'The payment.',
      virtual_account: 'The account that it was paid into.',
    },
  ),
  component(testMessage, 'TestMessage', 'The data of a test webhook.', { message: 'A sentence.' }),
  component(listMeta, 'ListMeta', 'Where a list continues.', {
    has_more: 'Whether there is a next page.',
    next_cursor: 'Send this as `cursor` to get the next page; null on the last one.',
  }),
  component(errorDetail, 'ErrorDetail', 'What is wrong with a field of the request, or at a provider.', {
    field: 'The field; absent where a provider failed.',
    provider: 'The provider; absent where a field is wrong.',
    message: 'What is wrong, in a sentence for people.',
    code: 'Why the provider failed, for programs; absent where a field is wrong. Codes may be added.',
    virtual_account_id: 'The account whose outcome is not known yet. Absent where there is none.',
  }),
  component(errorBody, 'Error', 'Why a request failed.', {
    status: 'Always false.',
    message: 'What is wrong, in a sentence for people. It may be reworded, so programs should read `code`.',
    code: 'What is wrong, for programs. Codes may be added: for one that you do not know, use the HTTP status.',
    request_id: 'Quote it when you contact us. The same as the `x-request-id` header.',
    errors:
      'Only if there are details: `field` and `message` for each invalid field, `provider`, `message` and `code` for each provider that failed.',
    accounts: 'Only with `all_providers_failed`, and always empty, because the fields are those of a success.',
  }),
];

/** Makes the document refer to these schemas by name wherever they occur. The schemas themselves do not change, and no function loads this. */
export const nameComponents = (): void => {
  for (const { schema, id } of COMPONENTS) nameSchema(schema, id);
};

/** Named schemas without one in the contract. */
export const PLAIN_COMPONENTS = {
  ...enumerationSchemas(),
  Metadata: { description: 'Any JSON object of at most 2 KiB.', type: 'object', additionalProperties: true },
  Acknowledgement: {
    description: 'That it worked.',
    type: 'object',
    properties: { status: { type: 'boolean', description: 'Always true.' } },
    required: ['status'],
  },
} as const;
