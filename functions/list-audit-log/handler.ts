import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { auditLogDeps } from '#shared/businesses/compose.ts';
import { auditEntryView, listAuditLogContract } from '#shared/businesses/contract/audit-log.ts';
import type { AuditLog } from '#shared/businesses/ports.ts';
import { readEnv } from '#shared/platform/env.ts';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';

/** Lists the changes that members made to a business, newest first. */
export const listAuditLogHandler = (deps: ApiDeps & { readonly audit: AuditLog }) =>
  api(listAuditLogContract, deps, async ({ caller, query }) => {
    const { actor = null, action = null, from = null } = query;
    const filter = { actor: actor && comparableAddress(actor), action, from };
    await deps.audit.closeDeadDrafts(caller.businessId, deps.now());
    const list = `audit log ${JSON.stringify(filter)}`;
    const page = await deps.audit.list(caller.businessId, filter, readPageRequest(deps.hashKey, caller, list, query));
    return listReply(deps.hashKey, caller, list, page, auditEntryView);
  });

export const handler = listAuditLogHandler(auditLogDeps(readEnv(apiEnv, process.env)));
