import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { keyView } from '#shared/businesses/contract/key-view.ts';
import { createKeyContract } from '#shared/businesses/contract/keys.ts';
import type { ChangeBusinessDeps } from '#shared/businesses/use-cases/change-business.ts';
import { createKey } from '#shared/businesses/use-cases/create-key.ts';
import { readEnv } from '#shared/platform/env.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/** Creates an API key of a business. Only members may. Only this answer contains the key in clear text. */
export const createKeyHandler = (deps: ApiDeps & ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>) =>
  api(createKeyContract, deps, async (request) => {
    const { businessId, mode } = request.caller;
    const input = { businessId, mode, ...request.body, actor: requireAuthor(request) };
    const { issued, stored } = await createKey(deps, input);
    const data = { ...keyView(stored, deps.now()), key: issued.key };
    return { status: 201, body: { status: true, data }, created: [stored.id] };
  });

export const handler = createKeyHandler(businessDeps(readEnv(apiEnv, process.env)));
