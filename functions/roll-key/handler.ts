import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { keyView } from '#shared/businesses/contract/key-view.ts';
import { rollKeyContract } from '#shared/businesses/contract/keys.ts';
import type { ChangeBusinessDeps } from '#shared/businesses/use-cases/change-business.ts';
import { rollKey } from '#shared/businesses/use-cases/roll-key.ts';
import { readEnv } from '#shared/platform/env.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/** Replaces an API key of a business. Only members may. Only this answer contains the new key in clear text. */
export const rollKeyHandler = (deps: ApiDeps & ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>) =>
  api(rollKeyContract, deps, async (request) => {
    const { caller, params, body } = request;
    const input = {
      keyId: params.id,
      tenant: caller,
      actor: requireAuthor(request),
      grace: body.grace_seconds * SECOND,
    };
    const { issued, stored } = await rollKey(deps, input);
    const data = { ...keyView(stored, deps.now()), key: issued.key };
    return { status: 201, body: { status: true, data }, created: [issued.id] };
  });

export const handler = rollKeyHandler(businessDeps(readEnv(apiEnv, process.env)));
