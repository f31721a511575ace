import * as businessKeys from '#shared/businesses/store/keys.ts';
import * as checkoutKeys from '#shared/checkouts/store/keys.ts';
import * as erasureKeys from '#shared/erasure/store/keys.ts';
import * as memberKeys from '#shared/members/store/keys.ts';
import * as paymentKeys from '#shared/payments/store/keys.ts';
import * as dueKeys from '#shared/platform/table/due-keys.ts';
import * as platformKeys from '#shared/platform/table/keys.ts';
import * as providerKeys from '#shared/providers/store/keys.ts';
import * as accountKeys from '#shared/virtual-accounts/store/keys.ts';
import * as webhookKeys from '#shared/webhooks/store/keys.ts';

/** Every function and constant that makes a key of the table. */
export const keys = {
  ...businessKeys,
  ...checkoutKeys,
  ...memberKeys,
  ...paymentKeys,
  ...erasureKeys,
  ...dueKeys,
  ...platformKeys,
  ...providerKeys,
  ...accountKeys,
  ...webhookKeys,
};
