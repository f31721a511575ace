import { businessDeps } from '#shared/composition/dashboard.ts';
import { keyView } from '#shared/contract/dashboard/key-view.ts';
import { setKeyWhitelistContract } from '#shared/contract/dashboard/keys.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { ChangeBusinessDeps } from '#shared/use-cases/businesses/change-business.ts';
import { setWhitelist } from '#shared/use-cases/businesses/set-whitelist.ts';

/** Says from which addresses a key of a business may be used, for a member. */
export const setKeyWhitelistHandler = (deps: ApiDeps & ChangeBusinessDeps) =>
  api(setKeyWhitelistContract, deps, async (request) => {
    const { caller, params, body } = request;
    const input = { keyId: params.id, of: caller, who: authorOf(request), entries: body.ip_whitelist };
    const { key } = await setWhitelist(deps, input);
    return { status: 200, body: { status: true, data: keyView(key, deps.now()) } };
  });

export const handler = setKeyWhitelistHandler(businessDeps(readEnv(apiEnv, process.env)));
