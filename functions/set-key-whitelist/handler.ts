import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { keyView } from '#shared/businesses/contract/key-view.ts';
import { setKeyWhitelistContract } from '#shared/businesses/contract/keys.ts';
import type { ChangeBusinessDeps } from '#shared/businesses/use-cases/change-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Replaces the name or the IP whitelist of an API key. Only members may, at the dashboard. */
export const setKeyWhitelistHandler = (deps: ApiDeps & ChangeBusinessDeps) =>
  api(setKeyWhitelistContract, deps, async (request) => {
    const { caller, params, body } = request;
    const input = {
      keyId: params.id,
      tenant: caller,
      actor: requireAuthor(request),
      entries: body.ip_whitelist,
      name: body.name,
    };
    const { key } = await updateKey(deps, input);
    const uses = await deps.businesses.lastUses([key]);
    return { status: 200, body: { status: true, data: keyView(key, deps.now(), uses.get(key.id)) } };
  });

export const handler = setKeyWhitelistHandler(businessDeps(readEnv(apiEnv, process.env)));
