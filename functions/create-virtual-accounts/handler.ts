import { api } from '#shared/api/api.ts';
import { errorReply } from '#shared/api/http/answer.ts';
import type { ApiDeps, Reply } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { createVirtualAccountsDeps } from '#shared/virtual-accounts/compose.ts';
import { createVirtualAccountsContract } from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import { createVirtualAccountsEnv } from '#shared/virtual-accounts/env.ts';
import {
  type CreateVirtualAccountsDeps,
  type Creation,
  createVirtualAccounts,
  toCreation,
} from '#shared/virtual-accounts/use-cases/create-virtual-accounts.ts';

const reply = (customerName: string, requestId: string, creation: Creation): Reply => {
  const { opened, errors, retryAfterSeconds } = creation;
  const failed = errors.map(({ provider }) => provider).join(', ');
  if (opened.length === 0) {
    const failure = errorReply('all_providers_failed', requestId, { accounts: [], errors: [...errors] });
    // These accounts are pending: they exist here and may still open, so the log names them as created.
    return { ...failure, retryAfterSeconds, created: errors.flatMap(({ virtual_account_id: id }) => id ?? []) };
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
    return commit(create, (outcomes) => reply(name, requestId, toCreation(outcomes)));
  });

export const handler = createVirtualAccountsHandler(
  createVirtualAccountsDeps(readEnv(createVirtualAccountsEnv, process.env)),
);
