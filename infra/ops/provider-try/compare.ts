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

/** A compared call in the report. It holds no sent or answered data except names of fields and values of fixed lists. */
export interface ComparedCall {
  readonly method: string;
  /** The path, with `{…}` in place of the parts that vary. */
  readonly path: string;
  /** The HTTP status; null if no answer could be read. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** Names of the fixtures that it was compared with, with the key of their source and its certainty. Empty if no source has the answer. */
  readonly fixtures: readonly string[];
  /** Sentences, each of which names a field. */
  readonly differences: readonly string[];
  /** Values of fields that have a fixed list of values, by the path of the field. */
  readonly values: Readonly<Record<string, string>>;
}

const readPath = (value: unknown, path: string): unknown =>
  path.split('.').reduce((node: unknown, name) => (isObject(node) ? node[name] : undefined), value);

/** Copies a value and replaces what is at a path, if the path exists. */
const withValue = (value: unknown, [name = '', ...rest]: readonly string[], replacement: unknown): unknown => {
  if (!isObject(value) || !(name in value)) return value;
  return { ...value, [name]: rest.length === 0 ? replacement : withValue(value[name], rest, replacement) };
};

/** Whether an exchange has the method and path of a call. The query is ignored. */
const matchesCall = ({ method, path }: Call, { request }: Exchange): boolean => {
  const form = path.split('/').map((part) => (/^\{\w+\}$/.test(part) ? '[^/]+' : part.replaceAll('.', '\\.')));
  return method === request.method && new RegExp(`^${form.join('/')}$`).test(request.path.split('?')[0] ?? '');
};

interface Comparison {
  /** Null if no source has the answer. */
  readonly fixture: { readonly name: string; readonly source: string; readonly mark: string } | null;
  readonly differences: readonly string[];
  readonly seen: readonly EnumeratedField[];
}

const compareWith = (fixture: Fixture, name: string, json: unknown, path: string): Comparison => {
  const prefix = path === '' ? '' : `${path}.`;
  const addPath = (difference: string): string =>
    // A difference of the whole value has no path of its own.
    difference.startsWith(' ') ? `${path || 'The answer'}${difference}` : `${prefix}${difference}`;
  return {
    fixture: { name, source: fixture.source, mark: fixture.mark },
    differences: shapeDifferences(fixture, json).map(addPath),
    seen: findEnumerated(json, path),
  };
};

/** Reads the field in which a provider says whether the request succeeded. */
const saysSuccess = (json: unknown): unknown => (isObject(json) ? (json.requestSuccessful ?? json.status) : undefined);

/** Compares with the fixture that has the fewest differences, among those that say success or failure like the answer. */
const compareWithBest = (
  set: Readonly<Record<string, Fixture>>,
  names: readonly string[],
  json: unknown,
  path: string,
): Comparison => {
  const fixtures = names.flatMap((name) => (set[name] ? [{ name, fixture: set[name] }] : []));
  const alike = fixtures.filter(({ fixture }) => saysSuccess(fixture.body) === saysSuccess(json));
  const compared = (path === '' && alike.length > 0 ? alike : fixtures).map(({ name, fixture }) =>
    compareWith(fixture, name, json, path),
  );
  const [first, ...others] = compared;
  if (!first) return { fixture: null, differences: [], seen: findEnumerated(json, path) };
  return others.reduce(
    (best, candidate) => (candidate.differences.length < best.differences.length ? candidate : best),
    first,
  );
};

const collectTexts = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value.toLowerCase()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
};

/** Finds the rows of a list (or the single object) that contain one of our references, as a whole text or before the @ of an address. */
const findOurRows = (value: unknown, references: readonly string[]): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((row) => {
    const texts = collectTexts(row);
    return references
      .map((reference) => reference.toLowerCase())
      .some((ours) => texts.some((text) => text === ours || text.startsWith(`${ours}@`)));
  });

/** The step of the exchanges, and the references that tell which rows of lists are ours. */
interface StepContext {
  readonly step: StepName;
  readonly references: readonly string[];
}

/** Compares an answer, and our rows in it, with fixtures; undefined if the step should not make this call. */
const compareAnswer = (
  { fixtures }: ProviderTrial,
  { answer, rows }: Call,
  { step, references }: StepContext,
  json: unknown,
): readonly Comparison[] | undefined => {
  const names = fixturesFor(answer, step);
  if (names === undefined) return undefined;
  if (!rows) return [compareWithBest(fixtures.answers, names, json, '')];
  const path = rows.at.split('.');
  const value = readPath(json, rows.at);
  // Rows may belong to anybody who uses the same sandbox, so the envelope is compared without them.
  const withoutRows = Object.fromEntries(
    Object.entries(fixtures.answers).map(([name, fixture]) => [
      name,
      { ...fixture, body: withValue(fixture.body, path, []) },
    ]),
  );
  const envelope = compareWithBest(withoutRows, names, Array.isArray(value) ? withValue(json, path, []) : json, '');
  const rowNames = fixturesFor(rows.fixture, step) ?? [];
  const rowPath = Array.isArray(value) ? `${rows.at}[]` : rows.at;
  return [
    envelope,
    ...findOurRows(value, references).flatMap((row) =>
      rowNames.length > 0 ? compareWithBest(fixtures.rows, rowNames, row, rowPath) : [],
    ),
  ];
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const compare = (tried: ProviderTrial, context: StepContext, exchange: Exchange): ComparedCall => {
  const { answer, request, milliseconds } = exchange;
  const call = tried.calls.find((candidate) => matchesCall(candidate, exchange));
  const common = {
    method: request.method,
    path: call?.path ?? '(not an expected call)',
    status: answer?.status ?? null,
    milliseconds,
  };
  const none = { fixtures: [], values: {} };
  const compared = call && compareAnswer(tried, call, context, withFieldNames(answer?.json));
  if (!compared) return { ...common, ...none, differences: ['This step should not make this call.'] };
  if (!answer) return { ...common, ...none, differences: [] };
  const seen = compared.flatMap((comparison) => comparison.seen);
  const unknown = seen.flatMap((field) => (field.value === null ? [`${field.path} has an unknown value.`] : []));
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

/** Finds lists that lack our row. A step that names a fixture for rows expects one on some page of the list. */
const findMissingRows = (
  tried: ProviderTrial,
  { step, references }: StepContext,
  exchanges: readonly Exchange[],
): ReadonlyMap<Exchange, string> => {
  const missing = tried.calls.flatMap((call): readonly [Exchange, string][] => {
    const { rows } = call;
    const pages = exchanges.filter((exchange) => exchange.answer && matchesCall(call, exchange));
    const last = pages.at(-1);
    if (!rows || !last || !fixturesFor(rows.fixture, step)?.length) return [];
    const isListed = pages.some(({ answer }) => findOurRows(readPath(answer?.json, rows.at), references).length > 0);
    return isListed ? [] : [[last, `${rows.at} has no row with our reference.`]];
  });
  return new Map(missing);
};

/** Compares the exchanges of a step with the fixtures of their calls. `references` tell which rows of lists are ours. */
export const compareExchanges = (
  tried: ProviderTrial,
  step: StepName,
  exchanges: readonly Exchange[],
  references: readonly string[],
): readonly ComparedCall[] => {
  const missing = findMissingRows(tried, { step, references }, exchanges);
  return exchanges.map((exchange) => {
    const compared = compare(tried, { step, references }, exchange);
    const difference = missing.get(exchange);
    return difference === undefined ? compared : { ...compared, differences: [...compared.differences, difference] };
  });
};
