import { businessDeps } from '#shared/composition/dashboard.ts';
import { keyView } from '#shared/contract/dashboard/key-view.ts';
import { revokeKeyContract } from '#shared/contract/dashboard/keys.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { ChangeBusinessDeps } from '#shared/use-cases/businesses/change-business.ts';
import { revokeKey } from '#shared/use-cases/businesses/revoke-key.ts';

/** Ends a key of a business, for a member. */
export const revokeKeyHandler = (deps: ApiDeps & ChangeBusinessDeps) =>
  api(revokeKeyContract, deps, async (request) => {
    const { caller, params } = request;
    const key = await revokeKey(deps, { keyId: params.id, of: caller, who: authorOf(request) });
    return { status: 200, body: { status: true, data: keyView(key, deps.now()) } };
  });

export const handler = revokeKeyHandler(businessDeps(readEnv(apiEnv, process.env)));
