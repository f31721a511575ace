import { businessDeps } from '#shared/composition/dashboard.ts';
import { businessView, updateBusinessContract } from '#shared/contract/dashboard/business.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { ChangeBusinessDeps } from '#shared/use-cases/businesses/change-business.ts';
import { setProfile } from '#shared/use-cases/businesses/set-profile.ts';

/** Changes what payers see of a business, for a member. */
export const updateBusinessHandler = (deps: ApiDeps & ChangeBusinessDeps) =>
  api(updateBusinessContract, deps, async (request) => {
    const { display_name: displayName, support, websites, brand_color: brandColor } = request.body;
    const change = { displayName, support, websites, brandColor };
    const input = { businessId: request.caller.businessId, change, who: authorOf(request) };
    const business = await setProfile(deps, input);
    return { status: 200, body: { status: true, data: businessView(business) } };
  });

export const handler = updateBusinessHandler(businessDeps(readEnv(apiEnv, process.env)));
