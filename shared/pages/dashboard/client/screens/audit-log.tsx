import { type AuditEntry, forBusiness } from '#shared/pages/dashboard/client/api.ts';
import { Act } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Filter, Filters, filtersOf, List, type ListPage } from '#shared/pages/dashboard/client/parts/list.tsx';
import { periodOf } from '#shared/pages/dashboard/client/parts/period.ts';
import { saveCsv } from '#shared/pages/dashboard/client/parts/save-csv.ts';
import { Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';
import { csvOf } from '#shared/platform/kernel/csv.ts';

const FILTERS = ['actor', 'action'] as const;

/** What the filters in the URL ask for. */
const queryOf = (place: Place): Record<string, string> => {
  const { from } = periodOf(place);
  return { ...filtersOf(place, FILTERS), ...(from !== undefined && { from }) };
};

const whoOf = ({ actor }: AuditEntry): string => actor.email ?? `the key ${actor.id}`;

/** In the order of the file. */
const COLUMNS = ['id', 'at', 'who', 'what', 'target', 'mode', 'address'];
/** So that a log that grew for years is exported in bounded time. */
const MOST_PAGES = 200;

const exportLog = async (place: Place) => {
  const rows: AuditEntry[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: ListPage<AuditEntry> = await forBusiness(place).auditLog(queryOf(place), cursor);
    rows.push(...page.items);
    cursor = page.next;
    if (cursor === null) break;
  }
  const cells = rows.map((one) => [one.id, one.at, whoOf(one), one.what, one.target, one.mode, one.address]);
  saveCsv([csvOf(COLUMNS, cells)], 'audit-log.csv');
  return (
    <p>{cursor === null ? 'Saved as audit-log.csv.' : `Saved the newest ${rows.length} entries as audit-log.csv.`}</p>
  );
};

/** What the members of the business, and its live keys, changed, in both modes. */
export const AuditLog = ({ place }: { place: Place }) => (
  <>
    <div class="heading">
      <h1>Audit log</h1>
      <Act label="Export as CSV" work={() => exportLog(place)} />
    </div>
    <p class="quiet">
      What members changed here, or asked for, in both modes, and how live keys changed webhook endpoints. Nobody can
      edit it.
    </p>
    <Filters place={place}>
      <Filter place={place} name="actor" label="Member’s whole e-mail" />
      <Filter place={place} name="from" label="From" kind="date" />
      <Filter place={place} name="action" label="What was called, such as POST /v1/keys" />
    </Filters>
    <List
      place={place}
      name="audit log"
      size={50}
      load={(cursor) => forBusiness(place).auditLog(queryOf(place), cursor ?? null)}
      keyOf={({ id }) => id}
      empty={<p>Nothing was changed yet.</p>}
      columns={[
        { title: 'When', isTime: true, cell: ({ at }) => <Time at={at} /> },
        { title: 'Who', cell: whoOf },
        {
          title: 'What',
          onPhone: 'title',
          cell: ({ what, target }) => `${what}${target === '' || what.includes(target) ? '' : ` (${target})`}`,
        },
        { title: 'Mode', onPhone: 'side', cell: ({ mode }) => mode },
        { title: 'From', cell: ({ address }) => <code>{address}</code> },
      ]}
    />
  </>
);
