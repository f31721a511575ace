import { type Fixture, shapeDifferences } from '#shared/providers/common/simulator/fixture.ts';
import {
  fixturesFor,
  type ProviderTrial,
  type StepName,
  type TrialCall,
} from '#shared/providers/common/simulator/tried-provider.ts';
import type { Exchange } from './exchanges.ts';
import { type EnumeratedField, findEnumerated, isObject, withFieldNames } from './shown.ts';

type Call = TrialCall<string, string>;

/** A call of a step as a report shows it: nothing of it was sent or answered but names of fields, and values of fixed lists. */
export interface ComparedCall {
  readonly method: string;
  /** With braces in place of what varies. */
  readonly path: string;
  /** The HTTP status; null where no answer could be read. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** What it was compared with: each fixture's name, the key of its source and how sure that is. Empty where no source has the answer. */
  readonly fixtures: readonly string[];
  /** Each a sentence that names a field. */
  readonly differences: readonly string[];
  /** By the path of a field, its value where that is one of a fixed list. */
  readonly values: Readonly<Record<string, string>>;
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((node: unknown, name) => (isObject(node) ? node[name] : undefined), value);

/** A copy with another value at a path that exists. */
const withValue = (value: unknown, [name = '', ...rest]: readonly string[], put: unknown): unknown => {
  if (!isObject(value) || !(name in value)) return value;
  return { ...value, [name]: rest.length === 0 ? put : withValue(value[name], rest, put) };
};

/** Whether a call's path is of this form. Queries do not count. */
const fits = ({ method, path }: Call, { request }: Exchange): boolean => {
  const form = path.split('/').map((part) => (/^\{\w+\}$/.test(part) ? '[^/]+' : part.replaceAll('.', '\\.')));
  return method === request.method && new RegExp(`^${form.join('/')}$`).test(request.path.split('?')[0] ?? '');
};

interface Compared {
  /** Null where no source has the answer. */
  readonly fixture: { readonly name: string; readonly source: string; readonly mark: string } | null;
  readonly differences: readonly string[];
  readonly seen: readonly EnumeratedField[];
}

const against = (fixture: Fixture, name: string, json: unknown, path: string): Compared => {
  const prefix = path === '' ? '' : `${path}.`;
  const inside = (difference: string): string =>
    // What differs as a whole has no path of its own.
    difference.startsWith(' ') ? `${path || 'The answer'}${difference}` : `${prefix}${difference}`;
  return {
    fixture: { name, source: fixture.source, mark: fixture.mark },
    differences: shapeDifferences(fixture, json).map(inside),
    seen: findEnumerated(json, path),
  };
};

/** Whether an answer calls itself a success. */
const saysSuccess = (json: unknown): unknown => (isObject(json) ? (json.requestSuccessful ?? json.status) : undefined);

/** The comparison with the fixture that fits best, of those that call themselves what the answer does; without one, with none. */
const best = (
  set: Readonly<Record<string, Fixture>>,
  names: readonly string[],
  json: unknown,
  path: string,
): Compared => {
  const fixtures = names.flatMap((name) => (set[name] ? [{ name, fixture: set[name] }] : []));
  const alike = fixtures.filter(({ fixture }) => saysSuccess(fixture.body) === saysSuccess(json));
  const compared = (path === '' && alike.length > 0 ? alike : fixtures).map(({ name, fixture }) =>
    against(fixture, name, json, path),
  );
  const [first, ...others] = compared;
  if (!first) return { fixture: null, differences: [], seen: findEnumerated(json, path) };
  return others.reduce(
    (fits, candidate) => (candidate.differences.length < fits.differences.length ? candidate : fits),
    first,
  );
};

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value.toLowerCase()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The rows of a list that name one of our references, alone or as an e-mail address; or the single object at that path, if it does. */
const findOurRows = (value: unknown, references: readonly string[]): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((row) => {
    const texts = textsIn(row);
    return references
      .map((reference) => reference.toLowerCase())
      .some((ours) => texts.some((text) => text === ours || text.startsWith(`${ours}@`)));
  });

/** The step of exchanges, and our references, by which rows of lists are ours. */
interface Circumstances {
  readonly step: StepName;
  readonly references: readonly string[];
}

/** The comparisons of an answer and of the rows in it; undefined where the step is not expected to make the call. */
const comparisons = (
  { fixtures }: ProviderTrial,
  { answer, rows }: Call,
  { step, references }: Circumstances,
  json: unknown,
): readonly Compared[] | undefined => {
  const names = fixturesFor(answer, step);
  if (names === undefined) return undefined;
  if (!rows) return [best(fixtures.answers, names, json, '')];
  const path = rows.at.split('.');
  const value = at(json, rows.at);
  // The rows may be of anybody who tries the same sandbox.
  const emptied = Object.fromEntries(
    Object.entries(fixtures.answers).map(([name, fixture]) => [
      name,
      { ...fixture, body: withValue(fixture.body, path, []) },
    ]),
  );
  const envelope = best(emptied, names, Array.isArray(value) ? withValue(json, path, []) : json, '');
  const rowNames = fixturesFor(rows.fixture, step) ?? [];
  const inside = Array.isArray(value) ? `${rows.at}[]` : rows.at;
  return [
    envelope,
    ...findOurRows(value, references).flatMap((row) =>
      rowNames.length > 0 ? best(fixtures.rows, rowNames, row, inside) : [],
    ),
  ];
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const compare = (tried: ProviderTrial, circumstances: Circumstances, exchange: Exchange): ComparedCall => {
  const { answer, request, milliseconds } = exchange;
  const call = tried.calls.find((candidate) => fits(candidate, exchange));
  const common = {
    method: request.method,
    path: call?.path ?? '(not in the table of calls)',
    status: answer?.status ?? null,
    milliseconds,
  };
  const none = { fixtures: [], values: {} };
  const compared = call && comparisons(tried, call, circumstances, withFieldNames(answer?.json));
  if (!compared) return { ...common, ...none, differences: ['The call is not expected in this step.'] };
  if (!answer) return { ...common, ...none, differences: [] };
  const seen = compared.flatMap((comparison) => comparison.seen);
  const unknown = seen.flatMap((field) =>
    field.value === null ? [`${field.path} has a value that we do not know.`] : [],
  );
  const fixtures = compared.flatMap(({ fixture }) =>
    fixture ? [`${fixture.name} [${fixture.source} ${fixture.mark}]`] : [],
  );
  return {
    ...common,
    fixtures: unique(fixtures),
    differences: unique([...compared.flatMap((comparison) => comparison.differences), ...unknown]),
    values: Object.fromEntries(seen.flatMap((field) => (field.value === null ? [] : [[field.path, field.value]]))),
  };
};

/** Where a list lacks a row of ours: a step that names a fixture for it expects one on some page. */
const missingRows = (
  tried: ProviderTrial,
  { step, references }: Circumstances,
  exchanges: readonly Exchange[],
): ReadonlyMap<Exchange, string> => {
  const missing = tried.calls.flatMap((call): readonly [Exchange, string][] => {
    const { rows } = call;
    const pages = exchanges.filter((exchange) => exchange.answer && fits(call, exchange));
    const last = pages.at(-1);
    if (!rows || !last || !fixturesFor(rows.fixture, step)?.length) return [];
    const isListed = pages.some(({ answer }) => findOurRows(at(answer?.json, rows.at), references).length > 0);
    return isListed ? [] : [[last, `${rows.at} has nothing with our reference.`]];
  });
  return new Map(missing);
};

/** Compares the exchanges of a step with the fixtures of their calls. `references` are ours, by which rows of lists are ours. */
export const compareExchanges = (
  tried: ProviderTrial,
  step: StepName,
  exchanges: readonly Exchange[],
  references: readonly string[],
): readonly ComparedCall[] => {
  const missing = missingRows(tried, { step, references }, exchanges);
  return exchanges.map((exchange) => {
    const compared = compare(tried, { step, references }, exchange);
    const difference = missing.get(exchange);
    return difference === undefined ? compared : { ...compared, differences: [...compared.differences, difference] };
  });
};
