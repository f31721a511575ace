import { readVirtualAccountsDeps } from '#shared/composition/virtual-accounts.ts';
import { listVirtualAccountsContract } from '#shared/contract/virtual-accounts/list-virtual-accounts.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { isSameAddress } from '#shared/domain/kernel/email-address.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { Page, PageRequest } from '#shared/ports/kernel.ts';
import type { VirtualAccountReader } from '#shared/ports/virtual-accounts.ts';

const pageOf = async (
  accounts: VirtualAccountReader,
  caller: Tenant,
  { email, number }: { readonly email: string | undefined; readonly number: string | undefined },
  wanted: PageRequest,
): Promise<Page<VirtualAccount>> => {
  if (number === undefined) {
    return email === undefined ? accounts.list(caller, wanted) : accounts.listOfCustomer(caller, email, wanted);
  }
  const found = await accounts.withNumber(caller, number);
  const isOfCustomer = ({ customerEmail }: VirtualAccount) =>
    email === undefined || isSameAddress(customerEmail, email);
  return { items: found.filter(isOfCustomer), next: null };
};

/** Lists virtual accounts: all, those of one customer, or the one with an account number. */
export const listVirtualAccountsHandler = (deps: ApiDeps & { virtualAccounts: VirtualAccountReader }) =>
  api(listVirtualAccountsContract, deps, async ({ caller, query }) => {
    const { customer_email: email, account_number: number } = query;
    const list = `virtual accounts ${JSON.stringify([email?.toLowerCase(), number])}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const page = await pageOf(deps.virtualAccounts, caller, { email, number }, wanted);
    return listReply(deps.hashKey, caller, list, page, virtualAccountView);
  });

export const handler = listVirtualAccountsHandler(readVirtualAccountsDeps(readEnv(apiEnv, process.env)));
