import { type API_ERRORS, COMPRESSED_BODY_MESSAGE } from '#shared/platform/contract/errors.ts';

/** The explanation of an error code for integrators. */
interface ErrorNote {
  /** The reason for the error. */
  readonly cause: string;
  /** The caller's next step. */
  readonly cure: string;
  /** A note that each endpoint's page shows beside the message. */
  readonly note?: string;
}

/** The explanation of every error code, in Markdown. */
export const ERROR_NOTES: Record<keyof typeof API_ERRORS, ErrorNote> = {
  invalid_signature: {
    cause: 'A request to the address for providers’ notifications had no valid signature of a provider.',
    cure: 'Do not call that address: it is for providers only.',
  },
  missing_api_key: {
    cause: 'The `Authorization` header is missing, or does not use the scheme `Bearer`: it has Basic, or the bare key.',
    cure: 'Send `Authorization: Bearer <API key>`. Check that no proxy or redirect removes the header.',
  },
  invalid_api_key: {
    cause:
      'The key is mistyped or cut off, or belongs to a service at another address. Or it was revoked, or rolled and its grace period is over. Or its business is suspended.',
    cure: 'Compare its first letters and last four characters with the list of keys, and check the address that you call. Do not repeat the request.',
  },
  public_key_not_permitted: {
    cause: 'A public key (`pk_…`) called another endpoint than **Initialize a checkout**.',
    cure: 'Call the endpoint from your server, with a secret key.',
  },
  business_id_required: {
    cause: 'A request with a public key had no header `X-Business-ID`.',
    cure: 'Send the id of your business (`biz_…`) in this header. A secret key does not need it.',
  },
  business_id_mismatch: {
    cause: '`X-Business-ID` is not the business of the key.',
    cure: 'Use the key and the id of the same business.',
  },
  ip_not_whitelisted: {
    cause: 'The secret key has an IP whitelist, and the request came from another address. `errors` names the address.',
    cure: 'If it is the address of your server, add it: see *IP whitelist: the addresses of your servers*. If it is not, somebody else has your key: revoke it.',
  },
  simulation_requires_test_key: {
    cause: 'A live key called an endpoint that simulates.',
    cure: 'Use a test key. In live mode, send real money.',
  },
  malformed_json: {
    cause: 'The body is not JSON, or is not a JSON object, or is empty although the endpoint needs a body.',
    cure: 'Write the body with a JSON library, in UTF-8.',
  },
  unsupported_media_type: {
    cause: `\`Content-Type\` is not \`application/json\`, or the body is compressed: “${COMPRESSED_BODY_MESSAGE}”`,
    cure: 'Send `Content-Type: application/json` with a body, and no `Content-Encoding`.',
    note: `A \`Content-Encoding\` other than \`identity\` gives this error too: “${COMPRESSED_BODY_MESSAGE}”`,
  },
  payload_too_large: {
    cause: 'The body is longer than 64 KiB.',
    cure: 'Store long data yourself, and put its id into `metadata`.',
  },
  validation_failed: {
    cause:
      'A field or parameter is missing or has a wrong type or form, or a query parameter is unknown. `errors` names each of them.',
    cure: 'Correct them, and send the request again. You can use the same `Idempotency-Key`, because nothing was stored under it.',
  },
  all_providers_failed: {
    cause: 'No provider opened a virtual account. `errors` has the reason of each.',
    cure: 'Act by `errors[].code`: see *Partial failure: some banks opened, some did not*. An account may be `pending`.',
  },
  checkout_not_found: {
    cause: 'Your business has no checkout with this reference in the mode of the key.',
    cure: 'Use a key of the right mode, and our `reference` (`PAY-…`). With your own order number, call `GET /api/v1/checkouts?merchant_reference=…`.',
  },
  virtual_account_not_found: {
    cause: 'Your business has no virtual account with this id in the mode of the key.',
    cure: 'Use a key of the right mode, and the `id` (`va_…`) of the account. With its account number, call `GET /api/v1/virtual-accounts?account_number=…`.',
  },
  payment_not_found: {
    cause: 'Your business has no payment with this id in the mode of the key.',
    cure: 'Use a key of the right mode, and the `id` (`pay_…`) of the payment, not the provider’s reference.',
  },
  event_not_found: {
    cause: 'Your business has no event with this id in the mode of the key, or the event is older than 90 days.',
    cure: 'Use a key of the right mode, and the `id` (`evt_…`) of the event, which is also its `webhook-id`. For older events, read the checkout or the payment.',
  },
  webhook_endpoint_not_found: {
    cause: 'Your business has no endpoint with this id in the mode of the key, or it was deleted.',
    cure: '**List webhook endpoints** shows the ids of the endpoints in the key’s mode.',
  },
  not_found: {
    cause: 'No endpoint has this path. It may be misspelt, lack `/api/v1`, or have an id with a slash in it.',
    cure: 'Compare your path with the path of the endpoint. URL-encode values in a path.',
  },
  method_not_allowed: {
    cause: 'The path exists, but does not take this method. HEAD is not taken either.',
    cure: 'Use a method that the header `Allow` names.',
  },
  checkout_not_payable: {
    cause:
      'The state of the checkout does not allow this: it is paid or failed, or has accepted money. The message names the state.',
    cure: 'Call **Verify a checkout**, and act by its `status`: the payer may have paid.',
    note: 'The message names the state, such as “Checkout is already paid.” or “Checkout is already failed.”, or says “Checkout has accepted money.”',
  },
  no_other_provider: {
    cause:
      'No provider is left that could open another account: your business has routing off, three providers were asked in this checkout’s life, or the remaining ones opened none. `errors` has the reason of each that was asked now.',
    cure: 'Show the payer the present account, or start a new checkout. Do not repeat the request.',
  },
  nothing_to_reverse: {
    cause: 'A reversal was simulated, but no payment counts.',
    cure: 'Simulate a payment first.',
  },
  virtual_account_inactive: {
    cause: 'A transfer was simulated to a virtual account that is `inactive`, `pending` or `failed`.',
    cure: 'Simulate it on an `active` virtual account.',
  },
  duplicate_merchant_reference: {
    cause:
      'Another checkout of your servers has this `merchant_reference`, and has not ended without money. The message names it.',
    cure: 'Show the payer that checkout, or end it with **Expire a checkout** and send the same request again.',
  },
  delivery_in_progress: {
    cause: 'The event is being sent to this endpoint now.',
    cure: 'Wait half a minute, and check **Get an event** before you send it again.',
  },
  endpoint_limit_reached: {
    cause: 'Your business has five webhook endpoints in this mode.',
    cure: 'Change one with **Change a webhook endpoint**, or delete one that you do not need.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this `Idempotency-Key` has not been answered yet.',
    cure: 'Wait as long as `Retry-After` says, and send the same request again. Nothing is done twice.',
  },
  idempotency_key_reused: {
    cause: 'This `Idempotency-Key` was used before with another body or query. A difference of one byte is enough.',
    cure: 'Nothing was done. Send the first body again, or this one with a new key.',
    note: 'The body must be the same, byte for byte: see *Idempotency*.',
  },
  rate_limited: {
    cause:
      'A limit is used up: of the API key, the source address, a webhook endpoint, or searches. The message names the limit, unless it is that of the key or of the source address. See *Rate limits*.',
    cure: 'Wait as long as `Retry-After` says, and send fewer requests at once. Use webhooks instead of polling.',
  },
  provider_not_enabled: {
    cause: 'This service does not use this provider in live mode.',
    cure: 'Name another `provider`, or ask whoever runs the service which providers are live. Do not repeat the request.',
  },
  provider_busy: {
    cause: 'The provider takes no new accounts for some seconds, or your business has reached its quota there.',
    cure: 'Nothing was done. Wait as long as `Retry-After` says, and send the request again with the same `Idempotency-Key`. Or name another `provider`, with a new key.',
  },
  provider_error: {
    cause:
      'The provider rejected the request, failed or did not answer. If several providers were asked, `errors` has the reason of each: see *When a provider fails*.',
    cure: 'Send the request again after some seconds, with the same `Idempotency-Key` and body: nothing is opened twice. If it fails again, name another `provider`, with a new key. If that request gets `duplicate_merchant_reference`, the checkout of the first request may still open.',
  },
  service_unavailable: {
    cause: 'This service, or something that it needs, is busy for a moment.',
    cure: 'Wait as long as `Retry-After` says, and send the same request again, with the same `Idempotency-Key`.',
  },
  internal_error: {
    cause: 'This service has a fault.',
    cure: 'Send the request again with the same `Idempotency-Key`: nothing is done twice. If it fails again, contact us and quote the `request_id`: see *Contact*.',
  },
};
