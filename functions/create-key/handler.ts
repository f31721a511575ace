import { businessDeps } from '#shared/composition/dashboard.ts';
import { keyView } from '#shared/contract/dashboard/key-view.ts';
import { createKeyContract } from '#shared/contract/dashboard/keys.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { ChangeBusinessDeps } from '#shared/use-cases/businesses/change-business.ts';
import { createKey } from '#shared/use-cases/businesses/create-key.ts';

/** Creates a key of a business, for a member. Only this answer has it in clear text. */
export const createKeyHandler = (deps: ApiDeps & ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>) =>
  api(createKeyContract, deps, async (request) => {
    const { businessId, mode } = request.caller;
    const input = { businessId, mode, kind: request.body.kind, who: authorOf(request) };
    const { issued, stored } = await createKey(deps, input);
    const data = { ...keyView(stored, deps.now()), key: issued.key };
    return { status: 201, body: { status: true, data }, created: [stored.id] };
  });

export const handler = createKeyHandler(businessDeps(readEnv(apiEnv, process.env)));
