import { type AuditEntry, auditEntry, memberChange } from '#shared/businesses/domain/member-change.ts';
import type { AuditFilter, AuditLog } from '#shared/businesses/ports.ts';
import { businessKey } from '#shared/businesses/store/keys.ts';
import { auditItem } from '#shared/members/store/change-item.ts';
import { draftKey, draftPartition, memberChangeKey, memberChangePartition } from '#shared/members/store/keys.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { getParsed, listPointers, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, versionIs, type Write } from '#shared/platform/table/transact.ts';

/** The number of entries that a filtered list page reads in one round, and the most rounds. */
const ROUND_SIZE = 100;
const MAX_ROUNDS = 3;

const matches = ({ actor, action }: AuditFilter, entry: AuditEntry): boolean =>
  (actor === null || ('email' in entry && entry.email === actor)) && (action === null || entry.action === action);

const close = async (table: Table, draft: AuditEntry, entry: AuditEntry | undefined): Promise<void> => {
  const deletion = { delete: draftKey(draft.businessId, draft.id) };
  await transact(table, entry ? [{ put: auditItem(entry) }, deletion] : [deletion]);
};

/** If a draft is at least this old, its request has died, because no request lasts so long. Milliseconds. */
const DEAD_AFTER = MINUTE;
/** The most dead drafts that one call closes: more than die between two requests for the log. */
const MAX_DEAD = 100;

/** Replaces the drafts of requests that have died by entries with an unknown outcome: a request may have died after it took effect. */
const closeDead = async (table: Table, businessId: string, now: Millis): Promise<void> => {
  const { items } = await listPointers(table, draftPartition(businessId), { limit: MAX_DEAD, after: null });
  for (const draft of await getParsed(table, memberChange, items)) {
    if (now - draft.at >= DEAD_AFTER) await close(table, draft, { ...draft, outcome: 'unknown' });
  }
};

/** Keeps the audit logs of businesses in the table. */
export const auditLog = (table: Table): AuditLog => ({
  open: async (draft, { id, version }) => {
    const writes: Write<'conflict'>[] = [
      { put: { ...draft, ...draftKey(draft.businessId, draft.id) }, when: ABSENT },
      { check: businessKey(id), when: versionIs(version), otherwise: () => 'conflict' },
    ];
    return (await transact(table, writes)) === undefined;
  },
  close: (draft, entry) => close(table, draft, entry),
  add: async (entry) => {
    await transact<never>(table, [{ put: auditItem(entry), when: ABSENT }]);
  },
  closeDeadDrafts: (businessId, now) => closeDead(table, businessId, now),
  list: async (businessId, filter, page) => {
    const results: AuditEntry[] = [];
    let { after } = page;
    // Without a filter every entry matches, so one round fills a list page.
    const limit = filter.actor === null && filter.action === null ? page.limit : ROUND_SIZE;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { items, next } = await listPointers(table, memberChangePartition(businessId), { limit, after });
      const entries = await getParsed(table, auditEntry, items);
      for (const entry of entries) {
        if (filter.from !== null && entry.at < filter.from) return { items: results, next: null };
        if (matches(filter, entry)) results.push(entry);
        const isLast = next === null && entry === entries.at(-1);
        if (results.length === page.limit) {
          return { items: results, next: isLast ? null : memberChangeKey(businessId, entry.id).sk };
        }
      }
      if (next === null) return { items: results, next: null };
      after = next;
    }
    return { items: results, next: after };
  },
});
