import { auditLogDeps } from '#shared/composition/dashboard.ts';
import { auditEntryView, listAuditLogContract } from '#shared/contract/dashboard/audit-log.ts';
import { comparableAddress } from '#shared/domain/kernel/email-address.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { AuditLog } from '#shared/ports/businesses.ts';

/** Lists what the members of a business changed, newest first. */
export const listAuditLogHandler = (deps: ApiDeps & { readonly audit: AuditLog }) =>
  api(listAuditLogContract, deps, async ({ caller, query }) => {
    const { actor = null, action = null, from = null } = query;
    const filter = { actor: actor && comparableAddress(actor), action, from };
    await deps.audit.closeDead(caller.businessId, deps.now());
    const list = `audit log ${JSON.stringify(filter)}`;
    const page = await deps.audit.list(caller.businessId, filter, openPage(deps.hashKey, caller, list, query));
    return listReply(deps.hashKey, caller, list, page, auditEntryView);
  });

export const handler = listAuditLogHandler(auditLogDeps(readEnv(apiEnv, process.env)));
