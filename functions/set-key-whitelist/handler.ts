import { api } from '#shared/api/api.ts';
import { authorOf } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { keyView } from '#shared/businesses/contract/key-view.ts';
import { setKeyWhitelistContract } from '#shared/businesses/contract/keys.ts';
import type { ChangeBusinessDeps } from '#shared/businesses/use-cases/change-business.ts';
import { setWhitelist } from '#shared/businesses/use-cases/set-whitelist.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Says from which addresses a key of a business may be used, for a member. */
export const setKeyWhitelistHandler = (deps: ApiDeps & ChangeBusinessDeps) =>
  api(setKeyWhitelistContract, deps, async (request) => {
    const { caller, params, body } = request;
    const input = { keyId: params.id, of: caller, who: authorOf(request), entries: body.ip_whitelist };
    const { key } = await setWhitelist(deps, input);
    return { status: 200, body: { status: true, data: keyView(key, deps.now()) } };
  });

export const handler = setKeyWhitelistHandler(businessDeps(readEnv(apiEnv, process.env)));
