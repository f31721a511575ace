import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { chooseMailContract, mailView } from '#shared/businesses/contract/mail.ts';
import { type ChooseMailDeps, chooseMail } from '#shared/businesses/use-cases/choose-mail.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Changes which e-mails an owner gets about a business. */
export const chooseMailHandler = (deps: ApiDeps & ChooseMailDeps) =>
  api(chooseMailContract, deps, async (request) => {
    const { daily_summary: summary, endpoints } = request.body;
    const choice = { ...(summary !== undefined && { summary }), ...(endpoints !== undefined && { endpoints }) };
    const chosen = await chooseMail(deps, {
      businessId: request.caller.businessId,
      actor: requireAuthor(request),
      choice,
    });
    return { status: 200, body: { status: true, data: mailView(chosen) } };
  });

export const handler = chooseMailHandler(businessDeps(readEnv(apiEnv, process.env)));
