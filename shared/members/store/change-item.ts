import type { AuditEntry } from '#shared/businesses/domain/member-change.ts';
import { memberChangeKey } from '#shared/members/store/keys.ts';

/** Makes the item of the audit log for a change by a member or by a key. */
export const auditItem = (change: AuditEntry) => ({
  ...change,
  ...memberChangeKey(change.businessId, change.id),
});
