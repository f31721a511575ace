import { checkoutStore } from '#shared/adapters/dynamodb/checkouts/checkout-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { verifyCheckout as contract } from '#shared/contract/checkouts/verify-checkout.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { CheckoutReader } from '#shared/ports/checkouts.ts';

/** Tells the payment status of a checkout. */
export const verifyCheckout = (deps: ApiDeps & { checkouts: CheckoutReader }) =>
  api(contract, deps, async ({ caller, params }) => {
    const checkout = await deps.checkouts.find(caller, params.reference);
    if (!checkout) throw new Refusal('checkout_not_found');
    return { status: 200, body: { status: true, data: checkoutView(checkout) } };
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = verifyCheckout({ ...apiDeps(table, env), checkouts: checkoutStore(table) });
