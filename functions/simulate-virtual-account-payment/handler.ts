import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { paymentView } from '#shared/contract/money/payment-view.ts';
import { simulateVirtualAccountPayment as contract } from '#shared/contract/virtual-accounts/simulate-virtual-account-payment.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import { landingEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import type { ChangeDeps } from '#shared/use-cases/money/change-checkout.ts';
import { simulateVirtualAccountPayment as simulate } from '#shared/use-cases/virtual-accounts/simulate-virtual-account-payment.ts';

const reply = (payment: Payment): Reply => ({ status: 200, body: { status: true, data: paymentView(payment) } });

/** Lands a transfer on a test virtual account. */
export const simulateVirtualAccountPayment = (deps: ApiDeps & ChangeDeps) =>
  api(contract, deps, async ({ caller, params, body, seal }) => {
    const input = {
      id: params.id,
      amount: body.amount,
      senderName: body.sender_name,
      senderBank: body.sender_bank,
    };
    return reply(await simulate(deps, caller, input, (payment) => seal(reply(payment))));
  });

const env = readEnv(landingEnv, process.env);
const table = connectTable(env);
export const handler = simulateVirtualAccountPayment({
  ...apiDeps(table, env),
  ...runtime,
  ledger: ledger(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
});
