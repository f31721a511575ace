import type { ApiError } from '#shared/platform/kernel/errors.ts';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import type { NotFoundCode } from '#shared/platform/kernel/not-found.ts';

/** A kind of object: the form of its ids, and the path of the endpoint that reads an object by its id. */
interface ObjectKind {
  readonly form: typeof checkoutReference;
  readonly prefix: string;
  readonly article: 'a' | 'an';
  readonly noun: string;
  readonly path: string;
}

const OBJECT_KINDS = {
  checkout_not_found: {
    form: checkoutReference,
    prefix: 'PAY-',
    article: 'a',
    noun: 'checkout',
    path: '/api/v1/checkout/verify/{reference}',
  },
  payment_not_found: {
    form: idSchema('pay'),
    prefix: 'pay_',
    article: 'a',
    noun: 'payment',
    path: '/api/v1/payments/{id}',
  },
  virtual_account_not_found: {
    form: idSchema('va'),
    prefix: 'va_',
    article: 'a',
    noun: 'virtual account',
    path: '/api/v1/virtual-accounts/{id}',
  },
  event_not_found: {
    form: idSchema('evt'),
    prefix: 'evt_',
    article: 'an',
    noun: 'event',
    path: '/api/v1/events/{id}',
  },
  webhook_endpoint_not_found: {
    form: idSchema('whe'),
    prefix: 'whe_',
    article: 'a',
    noun: 'webhook endpoint',
    path: '/api/v1/webhook-endpoints/{id}',
  },
} as const satisfies Record<NotFoundCode, ObjectKind>;

const ACCOUNT_NUMBER = /^\d{10}$/;

/** Says how to find the object that the caller may have meant; undefined if we cannot tell. Never repeats the text that was sent. */
const findingHint = (code: NotFoundCode, requestedId: string): string | undefined => {
  // The whole form of an id decides and not its prefix, because a merchant's own reference may begin like an id.
  const other = Object.values(OBJECT_KINDS).find(({ form }) => form.safeParse(requestedId).success);
  if (other && other !== OBJECT_KINDS[code]) {
    return `An id that begins with ${other.prefix} names ${other.article} ${other.noun}: GET ${other.path}.`;
  }
  if (code === 'checkout_not_found' && !checkoutReference.safeParse(requestedId).success) {
    return 'A checkout reference is PAY- and 20 characters. To find a checkout by your own reference: GET /api/v1/checkouts?merchant_reference=.';
  }
  if (code === 'virtual_account_not_found' && ACCOUNT_NUMBER.test(requestedId)) {
    return 'To find a virtual account by its number: GET /api/v1/virtual-accounts?account_number=.';
  }
  return undefined;
};

const isNotFound = (code: string): code is NotFoundCode => code in OBJECT_KINDS;

/** Says what the caller may do next, and by which route; undefined if there is nothing. The sentence follows the error's message. */
export const writeHint = ({ code, details: { requestedId, endable } }: ApiError): string | undefined => {
  if (endable !== undefined) {
    return `POST /api/v1/checkouts/${endable}/expire ends it, and merchant_reference is free again.`;
  }
  return requestedId !== undefined && isNotFound(code) ? findingHint(code, requestedId) : undefined;
};
