import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { businessView, updateBusinessContract } from '#shared/businesses/contract/business.ts';
import type { ChangeBusinessDeps } from '#shared/businesses/use-cases/change-business.ts';
import { setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Changes the profile of a business. Only members may. */
export const updateBusinessHandler = (deps: ApiDeps & ChangeBusinessDeps) =>
  api(updateBusinessContract, deps, async (request) => {
    const { display_name: displayName, brand_color: brandColor, routing: isRouted, ...otherFields } = request.body;
    const change = { displayName, brandColor, isRouted, ...otherFields };
    const input = { businessId: request.caller.businessId, change, actor: requireAuthor(request) };
    const business = await setProfile(deps, input);
    return { status: 200, body: { status: true, data: businessView(business) } };
  });

export const handler = updateBusinessHandler(businessDeps(readEnv(apiEnv, process.env)));
