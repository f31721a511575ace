import { memberChangeKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { MemberChange } from '#shared/domain/businesses/member-change.ts';

/** A member's change as an item of the audit log. */
export const memberChangeItem = (change: MemberChange) => ({
  ...change,
  ...memberChangeKey(change.businessId, change.id),
});
