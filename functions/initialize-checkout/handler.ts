import { checkoutStore } from '#shared/adapters/dynamodb/checkouts/checkout-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { accountsDeps } from '#shared/composition/payments.ts';
import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { initializeCheckout as contract } from '#shared/contract/checkouts/initialize-checkout.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { readEnv } from '#shared/env/base.ts';
import { initializeEnv } from '#shared/env/providers.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import {
  type InitializeCheckoutDeps,
  initializeCheckout as initialize,
} from '#shared/use-cases/checkouts/initialize-checkout.ts';

const reply = (checkout: Checkout): Reply => ({
  status: 201,
  body: { status: true, message: 'Checkout initialized.', data: checkoutView(checkout) },
});

/** Starts a checkout. */
export const initializeCheckout = (deps: ApiDeps & InitializeCheckoutDeps) =>
  api(contract, deps, async ({ caller, body, claim, seal }) => {
    const { amount, payer_email: payerEmail, payer_name: payerName, provider, metadata } = body;
    const { expires_in: expiresIn, merchant_reference: merchantReference } = body;
    const input = { amount, payerEmail, payerName, provider, expiresIn, merchantReference, metadata, claim };
    return reply(await initialize(deps, caller, input, (checkout) => seal(reply(checkout))));
  });

const env = readEnv(initializeEnv, process.env);
const table = connectTable(env);
export const handler = initializeCheckout({
  ...apiDeps(table, env),
  ...accountsDeps(table, env),
  checkouts: checkoutStore(table),
  defaultProvider: env.DEFAULT_PROVIDER,
});
