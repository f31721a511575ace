import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountStore } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-store.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { accountsDeps } from '#shared/composition/payments.ts';
import { createVirtualAccounts as contract } from '#shared/contract/virtual-accounts/create-virtual-accounts.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { readEnv } from '#shared/env/base.ts';
import { accountsEnv } from '#shared/env/providers.ts';
import { api } from '#shared/http/api.ts';
import { refusalReply } from '#shared/http/kernel/answer.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import * as creating from '#shared/use-cases/virtual-accounts/create-virtual-accounts.ts';

const reply = (customerName: string, requestId: string, { opened, errors }: creating.Creation): Reply => {
  const failed = errors.map(({ provider }) => provider).join(', ');
  if (opened.length === 0)
    return refusalReply('all_providers_failed', requestId, { accounts: [], errors: [...errors] });
  const message = failed ? `Virtual accounts created, except at ${failed}. See errors.` : 'Virtual accounts created.';
  const accounts = opened.map(virtualAccountView);
  return { status: 201, body: { status: true, message, customer_name: customerName, accounts, errors } };
};

/** Opens virtual accounts for a customer at one or several providers. */
export const createVirtualAccounts = (deps: ApiDeps & creating.CreateVirtualAccountsDeps) =>
  api(contract, deps, async ({ caller, body, requestId, claim, seal }) => {
    const { customer_name: name, customer_phone: phone, customer_email: email, bvn, nin, metadata } = body;
    const input = { providers: body.providers, customer: { name, phone, email, bvn, nin }, metadata, claim };
    const answer = (creation: creating.Creation) => reply(name, requestId, creation);
    return answer(await creating.createVirtualAccounts(deps, caller, input, (creation) => seal(answer(creation))));
  });

const env = readEnv(accountsEnv, process.env);
const table = connectTable(env);
export const handler = createVirtualAccounts({
  ...apiDeps(table, env),
  ...accountsDeps(table, env),
  virtualAccounts: virtualAccountStore(table, env.HASH_KEY),
});
