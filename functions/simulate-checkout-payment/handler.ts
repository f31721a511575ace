import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { simulateCheckoutPayment as contract } from '#shared/contract/checkouts/simulate-checkout-payment.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { landingEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import { simulateCheckoutPayment as simulate } from '#shared/use-cases/checkouts/simulate-checkout-payment.ts';
import type { ChangeDeps } from '#shared/use-cases/money/change-checkout.ts';

const reply = (checkout: Checkout): Reply => ({ status: 200, body: { status: true, data: checkoutView(checkout) } });

/** Pays or fails a test checkout. */
export const simulateCheckoutPayment = (deps: ApiDeps & ChangeDeps) =>
  api(contract, deps, async ({ caller, body, seal }) => {
    const input = {
      reference: body.reference,
      status: body.status,
      amount: body.amount,
      late: body.late,
      senderName: body.sender_name,
      senderBank: body.sender_bank,
    };
    return reply(await simulate(deps, caller, input, (checkout) => seal(reply(checkout))));
  });

const env = readEnv(landingEnv, process.env);
const table = connectTable(env);
export const handler = simulateCheckoutPayment({
  ...apiDeps(table, env),
  ...runtime,
  ledger: ledger(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});
