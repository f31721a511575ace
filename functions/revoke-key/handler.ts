import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { keyView } from '#shared/businesses/contract/key-view.ts';
import { revokeKeyContract } from '#shared/businesses/contract/keys.ts';
import type { ChangeBusinessDeps } from '#shared/businesses/use-cases/change-business.ts';
import { revokeKey } from '#shared/businesses/use-cases/revoke-key.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Revokes an API key of a business. Only members may. */
export const revokeKeyHandler = (deps: ApiDeps & ChangeBusinessDeps) =>
  api(revokeKeyContract, deps, async (request) => {
    const { caller, params } = request;
    const key = await revokeKey(deps, { keyId: params.id, tenant: caller, actor: requireAuthor(request) });
    const uses = await deps.businesses.lastUses([key]);
    return { status: 200, body: { status: true, data: keyView(key, deps.now(), uses.get(key.id)) } };
  });

export const handler = revokeKeyHandler(businessDeps(readEnv(apiEnv, process.env)));
