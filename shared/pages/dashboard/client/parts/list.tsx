import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatUrl, go, type Place } from '#shared/pages/dashboard/client/router.ts';
import { Icon } from './icon.tsx';
import { Loaded, useLoaded } from './loaded.tsx';
import { humanize, Time } from './text.tsx';
import { readCursorTime } from './times.ts';
import { isWide } from './wide.ts';

/** A page of a list, as the client reads it. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Its head says that times are those of Lagos. */
  readonly isTime?: boolean;
  readonly cell: (item: T) => ComponentChildren;
  /**
   * Where it stands on a phone, where each row is a card: `title` large at the left, `side` at the right of it, `meta` (unless another is
   * said) below them, one after the other without their titles, `named` there with its title, `hidden` nowhere.
   */
  readonly onPhone?: 'title' | 'side' | 'meta' | 'named' | 'hidden';
}

interface ListProps<T> {
  readonly place: Place;
  readonly name: string;
  readonly load: (cursor: string | undefined) => Promise<ListPage<T>>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
  /** Where there is nothing yet: what to do next. Where filters hide all, the list says so itself. */
  readonly empty: ComponentChildren;
  /** Where the filters hide all: what that means, where the list can say more than that nothing fits. */
  readonly hidden?: ComponentChildren;
  /** Filters of which one option is always chosen. */
  readonly always?: readonly string[];
  /** How many a whole page has; one of a search may have fewer. */
  readonly size?: number;
  /** What changes when something was added, so that the list is asked again. */
  readonly version?: number;
}

/** How far a search has come, where its page is short. */
const LookedBack = ({ cursor, hasItems }: { cursor: string; hasItems: boolean }) => {
  const until = readCursorTime(cursor);
  return (
    <p class="quiet">
      {!hasItems && 'Nothing found on this page. '}
      {until === undefined ? (
        'There may be more.'
      ) : (
        <>
          Looked back to <Time at={until} />. There may be older ones.
        </>
      )}
    </p>
  );
};

/** The filters that are chosen, without those of which one option always is. */
const listChosenFilters = ({ query }: Place, always: readonly string[]): string[] =>
  [...query.keys()].filter((name) => name !== 'cursor' && !always.includes(name));

interface ClearProps {
  readonly place: Place;
  readonly always?: readonly string[] | undefined;
}

/** Where a filter is chosen: a button that chooses none. */
const ClearFilters = ({ place, always = [] }: ClearProps) =>
  listChosenFilters(place, always).length === 0 ? null : (
    <button type="button" onClick={() => go(formatUrl(place, place.screen, place.id, readFilters(place, always)))}>
      Clear filters
    </button>
  );

const joinClasses = ({ isNumber, isTime, onPhone = 'meta' }: Column<never>): string =>
  [`on-${onPhone}`, isNumber && 'number', isTime && 'time'].filter(Boolean).join(' ');

type RowsProps<T> = Pick<ListProps<T>, 'columns' | 'keyOf'> & { readonly items: readonly T[] };

/** A table, whose rows are cards on a phone. A click on a row opens its first link. */
export const Rows = <T,>({ items, columns, keyOf }: RowsProps<T>) => (
  <div class="scrolls list">
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={joinClasses(column)}>
              {column.title}
              {column.isTime && ' (Lagos)'}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map((column) => (
              <td key={column.title} class={joinClasses(column)} data-title={column.title}>
                {column.cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/**
 * A list, newest first. Its first page stays up to date; a cursor in the URL names a
 * later one.
 */
export const List = <T,>(props: ListProps<T>) => {
  const {
    place,
    name,
    load,
    columns,
    keyOf,
    empty,
    hidden = <p>Nothing fits these filters.</p>,
    always = [],
    size = 25,
    version = 0,
  } = props;
  const cursor = place.query.get('cursor') ?? undefined;
  const key = [name, place.businessId, place.mode, place.query, version].join(' ');
  const page = useLoaded(key, () => load(cursor), { fresh: cursor === undefined });
  const turnTo = (next: string): void => {
    go(formatUrl(place, place.screen, place.id, { ...Object.fromEntries(place.query), cursor: next }));
    scrollTo(0, 0);
  };
  const none =
    listChosenFilters(place, always).length === 0 ? (
      empty
    ) : (
      <>
        {hidden}
        <ClearFilters place={place} always={always} />
      </>
    );
  return (
    <Loaded loading={page} isEmpty={({ items, next }) => items.length === 0 && next === null} empty={none}>
      {({ items, next }) => (
        <>
          {items.length > 0 && <Rows items={items} columns={columns} keyOf={keyOf} />}
          {next !== null && items.length < size && <LookedBack cursor={next} hasItems={items.length > 0} />}
          {next !== null && (
            <button type="button" onClick={() => turnTo(next)}>
              {items.length < size ? 'Look further back' : 'Older ones'}
            </button>
          )}
        </>
      )}
    </Loaded>
  );
};

interface FiltersProps extends ClearProps {
  readonly children: ComponentChildren;
}

/** The filters of a list. On a phone they are folded, with the number of those that are chosen. */
export const Filters = ({ place, always = [], children }: FiltersProps) => {
  const { length: chosen } = listChosenFilters(place, always);
  return (
    <details class="filters" open={isWide.value}>
      <summary>
        <Icon name="filter" /> Filters{chosen > 0 && ` (${chosen})`}
      </summary>
      <div class="fields">
        {children}
        <ClearFilters place={place} always={always} />
      </div>
    </details>
  );
};

/** How each kind of filter is typed. */
const TYPED = {
  text: { type: 'search' },
  date: { type: 'date' },
  naira: { type: 'number', min: 0, step: 0.01 },
} as const;

interface FilterProps {
  readonly place: Place;
  readonly name: string;
  readonly label: string;
  readonly options?: readonly string[];
  /** What people call an option. */
  readonly words?: (option: string) => string;
  readonly kind?: keyof typeof TYPED;
  /** One of the options is always chosen. */
  readonly isRequired?: boolean;
}

/** A date that is typed has a year of this century only once all of it is typed. */
const isHalfTyped = (kind: FilterProps['kind'], value: string): boolean =>
  kind === 'date' && value !== '' && value < '2000';

/** A filter of a list, which stands in the URL. Choosing it is a step to go back from; a date is one step however it is typed. */
export const Filter = ({ place, name, label, options, words = humanize, kind = 'text', isRequired }: FilterProps) => {
  const current = place.query.get(name) ?? '';
  const [typed, type] = useState(current);
  const isStepMade = useRef(false);
  // It changes without typing where somebody goes back, or to the same list by a link.
  useEffect(() => type(current), [current]);
  const set = (value: string): void => {
    if (value === current || isHalfTyped(kind, value)) return;
    const { cursor: _, ...filters } = Object.fromEntries(place.query);
    go(formatUrl(place, place.screen, place.id, { ...filters, [name]: value }), {
      replace: kind === 'date' && isStepMade.current,
    });
    isStepMade.current = true;
  };
  const id = `filter-${name}`;
  return (
    <div class="filter" onFocusOut={() => (isStepMade.current = false)}>
      <label for={id}>{label}</label>
      {options ? (
        <select id={id} value={current} onChange={({ currentTarget }) => set(currentTarget.value)}>
          {!isRequired && <option value="">Any</option>}
          {options.map((option) => (
            <option key={option} value={option}>
              {words(option)}
            </option>
          ))}
        </select>
      ) : (
        <form
          class="filter-text"
          onSubmit={(event) => {
            event.preventDefault();
            set(typed.trim());
          }}
        >
          <input
            id={id}
            {...TYPED[kind]}
            value={typed}
            onInput={({ currentTarget }) => type(currentTarget.value)}
            onChange={({ currentTarget }) => set(currentTarget.value.trim())}
          />
          {typed.trim() !== current && (
            <button type="submit" aria-label={`Filter by ${label}`}>
              Filter
            </button>
          )}
        </form>
      )}
    </div>
  );
};

/** The days between which a list is wanted (period.ts). */
export const PeriodFilters = ({ place }: { place: Place }) => (
  <>
    <Filter place={place} name="from" label="From (Lagos)" kind="date" />
    <Filter place={place} name="to" label="To" kind="date" />
  </>
);

/** The filters of a URL, without those that are empty. */
export const readFilters = ({ query }: Place, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])));
