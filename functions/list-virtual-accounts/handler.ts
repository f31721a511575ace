import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { readEnv } from '#shared/platform/env.ts';
import { isSameAddress } from '#shared/platform/kernel/email-address.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import { readVirtualAccountsDeps } from '#shared/virtual-accounts/compose.ts';
import { listVirtualAccountsContract } from '#shared/virtual-accounts/contract/list-virtual-accounts.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { VirtualAccountReader } from '#shared/virtual-accounts/ports.ts';

const readPage = async (
  accounts: VirtualAccountReader,
  caller: Tenant,
  { email, number }: { readonly email: string | undefined; readonly number: string | undefined },
  page: PageRequest,
): Promise<Page<VirtualAccount>> => {
  if (number === undefined) {
    return email === undefined ? accounts.list(caller, page) : accounts.listOfCustomer(caller, email, page);
  }
  const matches = await accounts.listByNumber(caller, number);
  const isOfCustomer = ({ customerEmail }: VirtualAccount) =>
    email === undefined || isSameAddress(customerEmail, email);
  return { items: matches.filter(isOfCustomer), next: null };
};

/** Lists virtual accounts: all, or those of one customer, or those with an account number. With both filters an account must match both. */
export const listVirtualAccountsHandler = (deps: ApiDeps & { virtualAccounts: VirtualAccountReader }) =>
  api(listVirtualAccountsContract, deps, async ({ caller, query }) => {
    const { customer_email: email, account_number: number } = query;
    const listName = `virtual accounts ${JSON.stringify([email?.toLowerCase(), number])}`;
    const pageRequest = readPageRequest(deps.hashKey, caller, listName, query);
    const page = await readPage(deps.virtualAccounts, caller, { email, number }, pageRequest);
    return listReply(deps.hashKey, caller, listName, page, virtualAccountView);
  });

export const handler = listVirtualAccountsHandler(readVirtualAccountsDeps(readEnv(apiEnv, process.env)));
