import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { go, type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { Loaded, useLoaded } from './loaded.tsx';
import { Time } from './text.tsx';
import { lookedBackTo } from './times.ts';

/** A page of a list, as the client reads it. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (item: T) => ComponentChildren;
}

interface ListProps<T> {
  readonly place: Place;
  readonly name: string;
  readonly load: (cursor: string | undefined) => Promise<ListPage<T>>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
  readonly empty: ComponentChildren;
  /** How many a whole page has; one of a search may have fewer. */
  readonly size?: number;
  /** What changes when something was added, so that the list is asked again. */
  readonly version?: number;
}

/** How far a search has come, where its page is short. */
const LookedBack = ({ cursor, hasItems }: { cursor: string; hasItems: boolean }) => {
  const until = lookedBackTo(cursor);
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

/** A table of a list, newest first. Its first page stays up to date; a cursor in the URL names a later one. */
export const List = <T,>({ place, name, load, columns, keyOf, empty, size = 25, version = 0 }: ListProps<T>) => {
  const cursor = place.query.get('cursor') ?? undefined;
  const key = [name, place.businessId, place.mode, place.query, version].join(' ');
  const page = useLoaded(key, () => load(cursor), { fresh: cursor === undefined });
  const turnTo = (next: string): void => {
    go(urlOf(place, place.screen, place.id, { ...Object.fromEntries(place.query), cursor: next }));
    scrollTo(0, 0);
  };
  return (
    <Loaded of={page} isEmpty={({ items, next }) => items.length === 0 && next === null} empty={empty}>
      {({ items, next }) => (
        <>
          <div class="scrolls" hidden={items.length === 0}>
            <table class="stacks">
              <thead>
                <tr>
                  {columns.map(({ title, isNumber }) => (
                    <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={keyOf(item)}>
                    {columns.map(({ title, isNumber, cell }) => (
                      <td key={title} class={isNumber ? 'number' : undefined} data-title={title}>
                        <span>{cell(item)}</span>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
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
  readonly kind?: keyof typeof TYPED;
  /** One of the options is always chosen. */
  readonly isRequired?: boolean;
}

/** A filter of a list, which stands in the URL. */
export const Filter = ({ place, name, label, options, kind = 'text', isRequired }: FilterProps) => {
  const given = place.query.get(name) ?? '';
  const [typed, type] = useState(given);
  // It changes without typing where somebody goes back, or to the same list by a link.
  useEffect(() => type(given), [given]);
  const set = (value: string): void => {
    const { cursor: _, ...kept } = Object.fromEntries(place.query);
    go(urlOf(place, place.screen, place.id, { ...kept, [name]: value }), { replace: true });
  };
  const id = `filter-${name}`;
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      {options ? (
        <select id={id} value={given} onChange={({ currentTarget }) => set(currentTarget.value)}>
          {!isRequired && <option value="">any</option>}
          {options.map((one) => (
            <option key={one} value={one}>
              {one}
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
          {typed.trim() !== given && (
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
    <Filter place={place} name="from" label="From" kind="date" />
    <Filter place={place} name="to" label="To" kind="date" />
  </>
);

/** The filters of a URL, without those that are empty. */
export const filtersOf = ({ query }: Place, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])));
