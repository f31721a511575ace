import { memberChangeKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { AuditEntry } from '#shared/domain/businesses/member-change.ts';

/** A change by a member, or by a key, as an item of the audit log. */
export const auditItem = (change: AuditEntry) => ({
  ...change,
  ...memberChangeKey(change.businessId, change.id),
});
