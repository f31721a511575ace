/* The exports of the package. */

export { isPaymentsError, type LocalCode, PaymentsError, type PaymentsErrorCode } from './errors.ts';
export { List, type Page } from './list.ts';
export { Payments } from './payments.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export type * from './types.ts';
export { type UnwrapOptions, unwrap, WebhookError, type WebhookHeaders } from './webhooks.ts';
