import { DEEDS } from '#shared/businesses/contract/deeds.ts';
import { type AuditEntry, forBusiness } from '#shared/pages/dashboard/client/api.ts';
import { Act } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Filter, Filters, List, type ListPage, readFilters } from '#shared/pages/dashboard/client/parts/list.tsx';
import { readPeriod } from '#shared/pages/dashboard/client/parts/period.ts';
import { saveCsv } from '#shared/pages/dashboard/client/parts/save-csv.ts';
import { Badge, Ref, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { formatCsv } from '#shared/platform/kernel/csv.ts';

const FILTERS = ['actor', 'action'] as const;

/** What the filters in the URL ask for. */
const readQuery = (place: Place): Record<string, string> => {
  const { from } = readPeriod(place);
  return { ...readFilters(place, FILTERS), ...(from !== undefined && { from }) };
};

const formatActor = ({ actor }: AuditEntry): string => actor.email ?? `the key ${actor.id}`;

/** The screens of what an id, by its beginning, names; null: the screen of all of them. */
const SCREENS: readonly (readonly [beginning: string, screen: string, words: string | null])[] = [
  ['PAY-', 'checkouts', null],
  ['va_', 'virtual-accounts', null],
  ['evt_', 'events', null],
  ['whe_', 'webhooks', null],
  ['key_', 'keys', 'API keys'],
  ['usr_', 'team', 'Team'],
];

/** Leads to what an entry is about, in the entry's mode. */
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

/** What was done, in words, with what came of it where that was something else. */
const What = ({ entry: { outcome, what } }: { entry: AuditEntry }) => (
  <span>
    {outcome !== 'done' && <Badge state={outcome} />} {what}
    {outcome === 'unknown' && '. It failed on our side, so it may have been done'}
  </span>
);

const describeAction = (action: string): string => {
  const { ask } = DEEDS[action] ?? { ask: action };
  return ask.charAt(0).toUpperCase() + ask.slice(1);
};

/** In the order of the file. */
const COLUMNS = ['id', 'at', 'who', 'what', 'outcome', 'error', 'target', 'mode', 'address'];
/** So that a log that grew for years is exported in bounded time. */
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

/** What the members of the business, and its live keys, changed, in both modes. */
export const AuditLog = ({ place }: { place: Place }) => (
  <>
    <div class="heading">
      <h1>Audit log</h1>
      <Act label="Export as CSV" work={() => exportLog(place)} />
    </div>
    <p class="quiet">
      Who did what, in both modes: what members changed or were refused here, and how live keys changed webhook
      endpoints. Nobody can edit it. Times and days are those of Lagos.
    </p>
    <Filters place={place}>
      <Filter place={place} name="actor" label="Member’s e-mail" />
      <Filter place={place} name="from" label="From (Lagos)" kind="date" />
      <Filter
        place={place}
        name="action"
        label="What was asked for"
        options={Object.keys(DEEDS)}
        words={describeAction}
      />
    </Filters>
    <List
      place={place}
      name="audit log"
      size={50}
      load={(cursor) => forBusiness(place).auditLog(readQuery(place), cursor ?? null)}
      keyOf={({ id }) => id}
      empty={<p>Nothing was changed yet. Once a member changes something, or is refused, it is here.</p>}
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
