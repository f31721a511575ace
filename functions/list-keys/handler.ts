import { businessDeps } from '#shared/composition/dashboard.ts';
import { keyView } from '#shared/contract/dashboard/key-view.ts';
import { listKeysContract } from '#shared/contract/dashboard/keys.ts';
import { seenAddress } from '#shared/domain/businesses/ip-whitelist.ts';
import { belongsTo } from '#shared/domain/kernel/tenant.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import { findBusiness } from '#shared/use-cases/kernel/find-business.ts';

/** Lists the keys of a business in a mode, newest first, and the address that a whitelist would see. */
export const listKeysHandler = (deps: ApiDeps & { readonly businesses: BusinessStore }) =>
  api(listKeysContract, deps, async ({ caller, author }) => {
    const business = await findBusiness(deps, caller.businessId);
    const stored = await deps.businesses.keys(business);
    const keys = stored.filter((key) => belongsTo(caller, key)).toReversed();
    const shown = keys.map((key) => keyView(key, deps.now()));
    const data = { keys: shown, your_address: author && seenAddress(author.address) };
    return { status: 200, body: { status: true, data } };
  });

export const handler = listKeysHandler(businessDeps(readEnv(apiEnv, process.env)));
