import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { keyView } from '#shared/businesses/contract/key-view.ts';
import { listKeysContract } from '#shared/businesses/contract/keys.ts';
import { normalizeIp } from '#shared/businesses/domain/ip-whitelist.ts';
import type { BusinessStore } from '#shared/businesses/ports.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { readEnv } from '#shared/platform/env.ts';
import { belongsTo } from '#shared/platform/kernel/tenant.ts';

/**
 * Lists the API keys of a business in a mode, newest first. It also shows the member's own IP address, in the form in which a whitelist
 * compares it.
 */
export const listKeysHandler = (deps: ApiDeps & { readonly businesses: BusinessStore }) =>
  api(listKeysContract, deps, async ({ caller, author }) => {
    const business = await findBusiness(deps, caller.businessId);
    const stored = await deps.businesses.keys(business);
    const keys = stored.filter((key) => belongsTo(caller, key)).toReversed();
    const uses = await deps.businesses.lastUses(keys);
    const views = keys.map((key) => keyView(key, deps.now(), uses.get(key.id)));
    const data = { keys: views, your_address: author && normalizeIp(author.address) };
    return { status: 200, body: { status: true, data } };
  });

export const handler = listKeysHandler(businessDeps(readEnv(apiEnv, process.env)));
