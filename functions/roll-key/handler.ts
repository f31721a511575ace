import { businessDeps } from '#shared/composition/dashboard.ts';
import { keyView } from '#shared/contract/dashboard/key-view.ts';
import { rollKeyContract } from '#shared/contract/dashboard/keys.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { ChangeBusinessDeps } from '#shared/use-cases/businesses/change-business.ts';
import { rollKey } from '#shared/use-cases/businesses/roll-key.ts';

/** Replaces a key of a business, for a member. Only this answer has the new one in clear text. */
export const rollKeyHandler = (deps: ApiDeps & ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>) =>
  api(rollKeyContract, deps, async (request) => {
    const { caller, params, body } = request;
    const input = { keyId: params.id, of: caller, who: authorOf(request), grace: body.grace_seconds * SECOND };
    const { issued, stored } = await rollKey(deps, input);
    const data = { ...keyView(stored, deps.now()), key: issued.key };
    return { status: 201, body: { status: true, data }, created: [issued.id] };
  });

export const handler = rollKeyHandler(businessDeps(readEnv(apiEnv, process.env)));
