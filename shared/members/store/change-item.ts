import type { AuditEntry } from '#shared/businesses/domain/member-change.ts';
import { memberChangeKey } from '#shared/members/store/keys.ts';

/** A change by a member, or by a key, as an item of the audit log. */
export const auditItem = (change: AuditEntry) => ({
  ...change,
  ...memberChangeKey(change.businessId, change.id),
});
