import { createVirtualAccountsDeps } from '#shared/composition/virtual-accounts.ts';
import { createVirtualAccountsContract } from '#shared/contract/virtual-accounts/create-virtual-accounts.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { createVirtualAccountsEnv } from '#shared/env/virtual-accounts.ts';
import { api } from '#shared/http/api.ts';
import { refusalReply } from '#shared/http/kernel/answer.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import {
  type CreateVirtualAccountsDeps,
  type Creation,
  createVirtualAccounts,
  creationOf,
} from '#shared/use-cases/virtual-accounts/create-virtual-accounts.ts';

const reply = (customerName: string, requestId: string, creation: Creation): Reply => {
  const { opened, errors, retryAfterSeconds } = creation;
  const failed = errors.map(({ provider }) => provider).join(', ');
  if (opened.length === 0) {
    const failure = refusalReply('all_providers_failed', requestId, { accounts: [], errors: [...errors] });
    return { ...failure, retryAfterSeconds };
  }
  const message = failed ? `Virtual accounts created, except at ${failed}. See errors.` : 'Virtual accounts created.';
  const body = { status: true, message, customer_name: customerName, accounts: opened.map(virtualAccountView), errors };
  return { status: 201, created: opened.map(({ id }) => id), body };
};

/** Opens virtual accounts for a customer at one or several providers. */
export const createVirtualAccountsHandler = (deps: ApiDeps & CreateVirtualAccountsDeps) =>
  api(createVirtualAccountsContract, deps, async ({ caller, body, requestId, keyed, commit }) => {
    const { customer_name: name, customer_phone: phone, customer_email: email, bvn, nin, metadata } = body;
    const customer = { name, phone, email, bvn, nin, bankAccount: body.bankAccount };
    const create = () => createVirtualAccounts(deps, caller, { providers: body.providers, customer, metadata, keyed });
    return commit(create, (outcomes) => reply(name, requestId, creationOf(outcomes)));
  });

export const handler = createVirtualAccountsHandler(
  createVirtualAccountsDeps(readEnv(createVirtualAccountsEnv, process.env)),
);
