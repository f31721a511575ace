import { type API_ERRORS, PACKED_BODY } from '#shared/platform/contract/errors.ts';

/** Cause and cure of an error code, which its message leaves out. */
interface ErrorNote {
  /** Why it comes. */
  readonly cause: string;
  /** The next step of the caller. */
  readonly cure: string;
  /** Said at each endpoint too, because the message leaves it out. */
  readonly note?: string;
}

/** Cause and cure of every error code, in Markdown. */
export const ERROR_NOTES: Record<keyof typeof API_ERRORS, ErrorNote> = {
  invalid_signature: {
    cause: 'Something that is no provider posted to the address for providers’ notifications.',
    cure: 'Nothing of yours calls that address: post nothing there.',
  },
  missing_api_key: {
    cause: 'There is no `Authorization` header, or it has another scheme than `Bearer`, such as Basic or the bare key.',
    cure: 'Send `Authorization: Bearer <API key>`. Look whether a proxy or a redirect drops the header.',
  },
  invalid_api_key: {
    cause:
      'The key was mistyped or cut off, was never issued at this address, was revoked or rolled and its grace has ended, or its business is suspended.',
    cure: 'Compare its first letters and last four characters with the list of keys, and look at the address that you call. Do not repeat the request.',
  },
  public_key_not_permitted: {
    cause: 'A public key (`pk_…`) called something else than **Initialize a checkout**.',
    cure: 'Call it from your server, with a secret key.',
  },
  business_id_required: {
    cause: 'A public key came without the header `X-Business-ID`.',
    cure: 'Send your business’s id (`biz_…`) in it. A secret key needs none.',
  },
  business_id_mismatch: {
    cause: '`X-Business-ID` names another business than the key’s.',
    cure: 'Take key and id from the same business.',
  },
  ip_not_whitelisted: {
    cause: 'The secret key has an IP whitelist, and the request came from another address, which `errors` names.',
    cure: 'Add that address, if it is your server’s: see *IP whitelist: the addresses of your servers*. If it is not, somebody has your key: revoke it.',
  },
  simulation_requires_test_key: {
    cause: 'A live key called an endpoint that simulates.',
    cure: 'Simulate with a test key. In live mode money has to be sent.',
  },
  malformed_json: {
    cause: 'The body is no JSON, or JSON that is no object, or it is empty where the endpoint needs one.',
    cure: 'Let a JSON library write it, in UTF-8.',
  },
  unsupported_media_type: {
    cause: `\`Content-Type\` is not \`application/json\`, or the body is compressed: “${PACKED_BODY}”`,
    cure: 'Send `Content-Type: application/json` with a body, and no `Content-Encoding`.',
    note: `A \`Content-Encoding\` other than \`identity\` is refused as well: “${PACKED_BODY}”`,
  },
  payload_too_large: {
    cause: 'The body has more than 64 KiB.',
    cure: 'Keep what is long with you, and put its id into `metadata`.',
  },
  validation_failed: {
    cause: 'Fields or parameters are missing, unknown in the query, or of a wrong type or form: `errors` names each.',
    cure: 'Correct these, and send it anew. The same `Idempotency-Key` may be used, because nothing was kept under it.',
  },
  all_providers_failed: {
    cause: 'No provider opened a virtual account; `errors` says for each of them why.',
    cure: 'Act by `errors[].code`: see *Partial failure: some banks opened, some did not*. One of the accounts may be `pending`.',
  },
  checkout_not_found: {
    cause: 'There is no checkout with this reference in the mode of the key, or it is another business’s.',
    cure: 'Look whether the key is of the right mode, and whether it is our `reference` (`PAY-…`). By your own number ask `GET /api/v1/checkouts?merchant_reference=…`.',
  },
  virtual_account_not_found: {
    cause: 'There is no virtual account with this id in the mode of the key, or it is another business’s.',
    cure: 'Send its `id` (`va_…`), not its number. By number ask `GET /api/v1/virtual-accounts?account_number=…`.',
  },
  payment_not_found: {
    cause: 'There is no payment with this id in the mode of the key, or it is another business’s.',
    cure: 'Send its `id` (`pay_…`), not the provider’s reference, with a key of the right mode.',
  },
  event_not_found: {
    cause:
      'There is no event with this id in the mode of the key, it is another business’s, or it is older than 90 days.',
    cure: 'Send its `id` (`evt_…`), which is also the `webhook-id`. For what is older read the checkout or the payment.',
  },
  webhook_endpoint_not_found: {
    cause: 'There is no endpoint with this id in the mode of the key, it was deleted, or it is another business’s.',
    cure: '**List webhook endpoints** has the ids of its mode.',
  },
  not_found: {
    cause: 'The path is wrong: a letter, `/api/v1`, or an id that has a slash in it.',
    cure: 'Compare it with the endpoint’s. Encode what you put into a path.',
  },
  method_not_allowed: {
    cause: 'The path is right and the method is not, HEAD among them.',
    cure: 'The header `Allow` names the methods that it takes.',
  },
  checkout_not_payable: {
    cause:
      'The checkout is paid or failed, or has accepted money, so it cannot be simulated or expired any more. The message names its state.',
    cure: 'Ask **Verify a checkout**, and go on by its `status`: money that came is good news.',
    note: 'An answer names the state, such as “Checkout is already paid.” or “Checkout is already failed.”, or says “Checkout has accepted money.”',
  },
  no_other_provider: {
    cause:
      'Another account was asked for, and no provider is left that could open one: your business has routing off, three were asked in this checkout’s life, or those that were left did not open one. `errors` says why of each that was asked now.',
    cure: 'Show the payer the account that the checkout has, or start a new checkout. Do not repeat the request.',
  },
  nothing_to_reverse: {
    cause: 'A reversal was simulated where no payment counts.',
    cure: 'Simulate a payment first.',
  },
  virtual_account_inactive: {
    cause: 'A transfer was simulated to a virtual account that is `inactive`, `pending` or `failed`.',
    cure: 'Simulate on one that is `active`.',
  },
  duplicate_merchant_reference: {
    cause:
      'A checkout that your servers made has this `merchant_reference`, and has not ended without money. The message names it.',
    cure: 'Show that checkout in place of a new one; or end it with **Expire a checkout**, and send the same request again.',
  },
  delivery_in_progress: {
    cause: 'The event is being sent to this endpoint at this moment.',
    cure: 'Wait half a minute, and look at **Get an event** before you send it again.',
  },
  endpoint_limit_reached: {
    cause: 'The business has five webhook endpoints in this mode.',
    cure: 'Change one with **Change a webhook endpoint**, or delete one that nobody reads.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this `Idempotency-Key` has not been answered yet.',
    cure: 'Wait as long as `Retry-After` says, and send the same request again. Nothing is done twice.',
  },
  idempotency_key_reused: {
    cause: 'This `Idempotency-Key` was sent before with another body or query; one byte is enough.',
    cure: 'Nothing was done. Send the first body again, or this one with a new key.',
    note: 'The body must be the same, byte for byte: another JSON library, or another order of the fields, writes another body. Keep key and body with the order, and send both again. When the order is tried anew, use a new key.',
  },
  rate_limited: {
    cause:
      'The key, the address, an endpoint or a search has had what it may have: see *Rate limits*. The message says which, where it is not the key.',
    cure: 'Wait as long as `Retry-After` says, and send fewer at once. Read webhooks in place of asking again and again.',
  },
  provider_not_enabled: {
    cause: 'This service takes no live money at that provider.',
    cure: 'Name another `provider`, or ask whoever runs the service which are live. Repeating it does not help.',
  },
  provider_busy: {
    cause: 'The provider takes no more new accounts for some seconds, or your business has reached its limit.',
    cure: 'Nothing was done. Wait as long as `Retry-After` says, and send it again with the same `Idempotency-Key`; or name another `provider`, with a new key.',
  },
  provider_error: {
    cause:
      'The provider refused, failed or did not answer. Where a checkout went to several, `errors` says so of each: see *When a provider fails*.',
    cure: 'Send it again with the same `Idempotency-Key` and body, first after some seconds: nothing is opened twice. If it goes on, name another `provider`, with a new key; `duplicate_merchant_reference` then means that the first try may still open.',
  },
  service_unavailable: {
    cause: 'Something that this service needs is busy or away for a moment.',
    cure: 'Wait as long as `Retry-After` says, and send the same request again, with the same `Idempotency-Key`.',
  },
  internal_error: {
    cause: 'A fault of this service.',
    cure: 'Send it again with the same `Idempotency-Key`, which does nothing twice. If it goes on, quote the `request_id`: see *Contact*.',
  },
};
