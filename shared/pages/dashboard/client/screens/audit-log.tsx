import { DEEDS } from '#shared/businesses/contract/deeds.ts';
import { type AuditEntry, forBusiness } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Filter, Filters, List, type ListPage, readFilters } from '#shared/pages/dashboard/client/parts/list.tsx';
import { readPeriod } from '#shared/pages/dashboard/client/parts/period.ts';
import { saveCsv } from '#shared/pages/dashboard/client/parts/save-csv.ts';
import { Badge, Ref, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { formatCsv } from '#shared/platform/kernel/csv.ts';

const FILTERS = ['actor', 'action'] as const;

/** Reads the query from the filters in the URL. */
const readQuery = (place: Place): Record<string, string> => {
  const { from } = readPeriod(place);
  return { ...readFilters(place, FILTERS), ...(from !== undefined && { from }) };
};

const formatActor = ({ actor }: AuditEntry): string => actor.email ?? `the key ${actor.id}`;

/**
 * The screen for each kind of id, by the id's beginning. If `words` is null, the object with the id has a screen of its own. Otherwise the link
 * leads to the list of such objects, and has these words.
 */
const SCREENS: readonly (readonly [beginning: string, screen: string, words: string | null])[] = [
  ['PAY-', 'checkouts', null],
  ['va_', 'virtual-accounts', null],
  ['evt_', 'events', null],
  ['whe_', 'webhooks', null],
  ['key_', 'keys', 'API keys'],
  ['usr_', 'team', 'Team'],
];

/** Links to the object of an entry, in the entry's mode. */
const About = ({ place, entry: { target, what, mode } }: { place: Place; entry: AuditEntry }) => {
  const at = { businessId: place.businessId, mode };
  const [, screen, words] = SCREENS.find(([beginning]) => target.startsWith(beginning)) ?? [];
  if (screen === undefined || target.includes(' ')) return <>{target === '' || what.includes(target) ? '–' : target}</>;
  return words === null ? (
    <a href={formatUrl(at, screen, target)}>
      <Ref text={target} />
    </a>
  ) : (
    <a href={formatUrl(at, screen)}>{words}</a>
  );
};

/** Describes an entry's action, and its outcome if it was not done. */
const What = ({ entry: { outcome, what } }: { entry: AuditEntry }) => (
  <span>
    {outcome !== 'done' && <Badge state={outcome} />} {what}
    {outcome === 'unknown' && '. It failed on our side, so we do not know whether it was done'}
  </span>
);

const describeAction = (action: string): string => {
  const { ask } = DEEDS[action] ?? { ask: action };
  return ask.charAt(0).toUpperCase() + ask.slice(1);
};

/** The columns of the CSV file. */
const COLUMNS = ['id', 'at', 'who', 'what', 'outcome', 'error', 'target', 'mode', 'address'];
/** The most list pages of an export, so that it ends in bounded time. */
const MOST_PAGES = 200;

const exportLog = async (place: Place) => {
  const rows: AuditEntry[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: ListPage<AuditEntry> = await forBusiness(place).auditLog(readQuery(place), cursor);
    rows.push(...page.items);
    cursor = page.next;
    if (cursor === null) break;
  }
  const cells = rows.map((entry) => [
    ...[entry.id, entry.at, formatActor(entry), entry.what, entry.outcome, entry.error ?? ''],
    ...[entry.target, entry.mode, entry.address],
  ]);
  saveCsv([formatCsv(COLUMNS, cells)], 'audit-log.csv');
  return (
    <p>{cursor === null ? 'Saved as audit-log.csv.' : `Saved the newest ${rows.length} entries as audit-log.csv.`}</p>
  );
};

/** The screen of the changes that members and live keys made, in both modes. */
export const AuditLog = ({ place }: { place: Place }) => (
  <>
    <div class="heading">
      <h1>Audit log</h1>
      <ActionButton label="Export as CSV" work={() => exportLog(place)} />
    </div>
    <p class="quiet">
      This log shows who did what in both modes: what members changed here or were refused, and how live keys changed
      webhook endpoints. Nobody can edit it. Times and days are Lagos time.
    </p>
    <Filters place={place}>
      <Filter place={place} name="actor" label="Member’s e-mail" />
      <Filter place={place} name="from" label="From (Lagos)" kind="date" />
      <Filter place={place} name="action" label="Action" options={Object.keys(DEEDS)} words={describeAction} />
    </Filters>
    <List
      place={place}
      name="audit log"
      size={50}
      load={(cursor) => forBusiness(place).auditLog(readQuery(place), cursor ?? null)}
      keyOf={({ id }) => id}
      empty={<p>No changes yet. When a member changes something or is refused, it appears here.</p>}
      columns={[
        { title: 'When', isTime: true, cell: ({ at }) => <Time at={at} /> },
        { title: 'Who', cell: formatActor },
        {
          title: 'What',
          onPhone: 'title',
          cell: (entry) => <What entry={entry} />,
        },
        { title: 'About', cell: (entry) => <About place={place} entry={entry} /> },
        { title: 'Mode', onPhone: 'side', cell: ({ mode }) => mode },
        { title: 'From', cell: ({ address }) => <code>{address}</code> },
      ]}
    />
  </>
);
