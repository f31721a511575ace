import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatUrl, go, type Place } from '#shared/pages/dashboard/client/router.ts';
import { Icon } from './icon.tsx';
import { Loaded, useLoaded } from './loaded.tsx';
import { humanize, Time } from './text.tsx';
import { readCursorTime } from './times.ts';
import { isWide } from './wide.ts';

/** A list page. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Whether the head says that the times are Lagos times. */
  readonly isTime?: boolean;
  readonly cell: (item: T) => ComponentChildren;
  /**
   * The column's place on a phone, where each row is a card: `title` is large at the left, `side` is at the right of it, `meta` (the default) is below them
   * without its title, `named` is below them with its title, and `hidden` is not shown.
   */
  readonly onPhone?: 'title' | 'side' | 'meta' | 'named' | 'hidden';
}

interface ListProps<T> {
  readonly place: Place;
  readonly name: string;
  readonly load: (cursor: string | undefined) => Promise<ListPage<T>>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
  /** Shown if there are no entries at all: it says what to do next. */
  readonly empty: ComponentChildren;
  /** Shown if no entry matches the filters; by default a sentence that says so. */
  readonly noMatch?: ComponentChildren;
  /** The names of the filters that always have a chosen option. */
  readonly always?: readonly string[];
  /** The number of entries on a whole list page. A list page of a search may have fewer. */
  readonly size?: number;
  /** Changes when an entry was added, so that the list loads again. */
  readonly version?: number;
}

/** Says how far back a search has looked, if its list page is short. */
const SearchedUntil = ({ cursor, hasItems }: { cursor: string; hasItems: boolean }) => {
  const until = readCursorTime(cursor);
  return (
    <p class="quiet">
      {!hasItems && 'Nothing found on this page. '}
      {until === undefined ? (
        'There may be more.'
      ) : (
        <>
          Searched back to <Time at={until} />. There may be older ones.
        </>
      )}
    </p>
  );
};

/** Lists the chosen filters, without those that always have a chosen option. */
const listChosenFilters = ({ query }: Place, always: readonly string[]): string[] =>
  [...query.keys()].filter((name) => name !== 'cursor' && !always.includes(name));

interface ClearProps {
  readonly place: Place;
  readonly always?: readonly string[] | undefined;
}

/** Shows a button that clears the filters, if any is chosen. */
const ClearFilters = ({ place, always = [] }: ClearProps) =>
  listChosenFilters(place, always).length === 0 ? null : (
    <button type="button" onClick={() => go(formatUrl(place, place.screen, place.id, readFilters(place, always)))}>
      Clear filters
    </button>
  );

const joinClasses = ({ isNumber, isTime, onPhone = 'meta' }: Column<never>): string =>
  [`on-${onPhone}`, isNumber && 'number', isTime && 'time'].filter(Boolean).join(' ');

type RowsProps<T> = Pick<ListProps<T>, 'columns' | 'keyOf'> & { readonly items: readonly T[] };

/** Lets a keyboard scroll a wide table that has nothing else to focus (WCAG 2.1.1). */
const makeFocusable = (region: HTMLDivElement | null): void => {
  if (region && !region.querySelector('a, button, input, summary')) region.tabIndex = 0;
};

/** Shows entries in a table, on a phone as cards. A click on a row opens its first link. */
export const Rows = <T,>({ items, columns, keyOf }: RowsProps<T>) => (
  <div class="scrolls list" ref={makeFocusable}>
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

/** Shows a list page, newest first. The first list page refreshes itself; a cursor in the URL names a later one. */
export const List = <T,>(props: ListProps<T>) => {
  const {
    place,
    name,
    load,
    columns,
    keyOf,
    empty,
    noMatch = <p>Nothing matches these filters.</p>,
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
        {noMatch}
        <ClearFilters place={place} always={always} />
      </>
    );
  return (
    <Loaded loading={page} isEmpty={({ items, next }) => items.length === 0 && next === null} empty={none}>
      {({ items, next }) => (
        <>
          {items.length > 0 && <Rows items={items} columns={columns} keyOf={keyOf} />}
          {next !== null && items.length < size && <SearchedUntil cursor={next} hasItems={items.length > 0} />}
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

/** Shows the filters of a list. On a phone they are folded, with the number of chosen filters. */
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

/** The input attributes of each kind of filter. */
const INPUTS = {
  text: { type: 'search' },
  date: { type: 'date' },
  naira: { type: 'number', min: 0, step: 0.01 },
} as const;

interface FilterProps {
  readonly place: Place;
  readonly name: string;
  readonly label: string;
  readonly options?: readonly string[];
  /** Returns the label of an option. */
  readonly words?: (option: string) => string;
  readonly kind?: keyof typeof INPUTS;
  /** Whether one of the options is always chosen. */
  readonly isRequired?: boolean;
}

/** Whether a date is incomplete: while somebody types the year, it is below 2000. */
const isHalfTyped = (kind: FilterProps['kind'], value: string): boolean =>
  kind === 'date' && value !== '' && value < '2000';

/** Shows a filter, whose value is in the URL. Each change is a step for the Back button; typing a date is one step. */
export const Filter = ({ place, name, label, options, words = humanize, kind = 'text', isRequired }: FilterProps) => {
  const current = place.query.get(name) ?? '';
  const [typed, setTyped] = useState(current);
  const isStepMade = useRef(false);
  // The URL also changes when somebody goes back or follows a link to the same list.
  useEffect(() => setTyped(current), [current]);
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
            {...INPUTS[kind]}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
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

/** Shows the filters for the first and the last day (period.ts). */
export const PeriodFilters = ({ place }: { place: Place }) => (
  <>
    <Filter place={place} name="from" label="From (Lagos)" kind="date" />
    <Filter place={place} name="to" label="To" kind="date" />
  </>
);

/** Reads the filters in the URL that are not empty. */
export const readFilters = ({ query }: Place, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])));
