import { auditLogDeps } from '#shared/composition/dashboard.ts';
import { auditEntryView, listAuditLogContract } from '#shared/contract/dashboard/audit-log.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { AuditLog } from '#shared/ports/businesses.ts';

const LIST = 'audit log';

/** Lists what the members of a business changed, newest first. */
export const listAuditLogHandler = (deps: ApiDeps & { readonly audit: AuditLog }) =>
  api(listAuditLogContract, deps, async ({ caller, query }) => {
    const page = await deps.audit.list(caller.businessId, openPage(deps.hashKey, caller, LIST, query));
    return listReply(deps.hashKey, caller, LIST, page, auditEntryView);
  });

export const handler = listAuditLogHandler(auditLogDeps(readEnv(apiEnv, process.env)));
