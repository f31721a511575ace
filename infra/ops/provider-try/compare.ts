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
  /**
   * Names of the fixtures that the answer was compared with, each with its source and the source's certainty in brackets. Empty if there is no
   * fixture, because no source shows such an answer.
   */
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
  const pattern = path.split('/').map((part) => (/^\{\w+\}$/.test(part) ? '[^/]+' : part.replaceAll('.', '\\.')));
  return method === request.method && new RegExp(`^${pattern.join('/')}$`).test(request.path.split('?')[0] ?? '');
};

interface Comparison {
  /** Null if there is no fixture, because no source shows such an answer. */
  readonly fixture: { readonly name: string; readonly source: string; readonly mark: string } | null;
  readonly differences: readonly string[];
  readonly enumeratedFields: readonly EnumeratedField[];
}

const compareWith = (fixture: Fixture, name: string, json: unknown, path: string): Comparison => {
  const prefix = path === '' ? '' : `${path}.`;
  const addPath = (difference: string): string =>
    // A difference of the whole value has no path of its own.
    difference.startsWith(' ') ? `${path || 'The answer'}${difference}` : `${prefix}${difference}`;
  return {
    fixture: { name, source: fixture.source, mark: fixture.mark },
    differences: shapeDifferences(fixture, json).map(addPath),
    enumeratedFields: findEnumerated(json, path),
  };
};

/** Reads the field in which a provider says whether the request succeeded. */
const readSuccess = (json: unknown): unknown => (isObject(json) ? (json.requestSuccessful ?? json.status) : undefined);

/**
 * Compares an answer with several fixtures, and returns the comparison with the fewest differences. A whole answer (`path` is empty) is compared
 * only with fixtures that report the same success or failure, if there are any.
 */
const compareWithBest = (
  fixtureSet: Readonly<Record<string, Fixture>>,
  names: readonly string[],
  json: unknown,
  path: string,
): Comparison => {
  const fixtures = names.flatMap((name) => (fixtureSet[name] ? [{ name, fixture: fixtureSet[name] }] : []));
  const sameOutcome = fixtures.filter(({ fixture }) => readSuccess(fixture.body) === readSuccess(json));
  const compared = (path === '' && sameOutcome.length > 0 ? sameOutcome : fixtures).map(({ name, fixture }) =>
    compareWith(fixture, name, json, path),
  );
  const [first, ...others] = compared;
  if (!first) return { fixture: null, differences: [], enumeratedFields: findEnumerated(json, path) };
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
  // Rows may belong to anybody who uses the same sandbox. So the rest of the answer (the envelope) is compared without rows.
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

const compare = (trial: ProviderTrial, context: StepContext, exchange: Exchange): ComparedCall => {
  const { answer, request, milliseconds } = exchange;
  const call = trial.calls.find((candidate) => matchesCall(candidate, exchange));
  const facts = {
    method: request.method,
    path: call?.path ?? '(not an expected call)',
    status: answer?.status ?? null,
    milliseconds,
  };
  const nothingCompared = { fixtures: [], values: {} };
  const compared = call && compareAnswer(trial, call, context, withFieldNames(answer?.json));
  if (!compared) return { ...facts, ...nothingCompared, differences: ['This step should not make this call.'] };
  if (!answer) return { ...facts, ...nothingCompared, differences: [] };
  const enumeratedFields = compared.flatMap((comparison) => comparison.enumeratedFields);
  const unknown = enumeratedFields.flatMap((field) =>
    field.value === null ? [`${field.path} has an unknown value.`] : [],
  );
  const fixtures = compared.flatMap(({ fixture }) =>
    fixture ? [`${fixture.name} [${fixture.source} ${fixture.mark}]`] : [],
  );
  return {
    ...facts,
    fixtures: unique(fixtures),
    differences: unique([...compared.flatMap((comparison) => comparison.differences), ...unknown]),
    values: Object.fromEntries(
      enumeratedFields.flatMap((field) => (field.value === null ? [] : [[field.path, field.value]])),
    ),
  };
};

/** Finds lists that lack our row. If the step has a fixture for rows, one of the list pages must have our row. */
const findMissingRows = (
  trial: ProviderTrial,
  { step, references }: StepContext,
  exchanges: readonly Exchange[],
): ReadonlyMap<Exchange, string> => {
  const missing = trial.calls.flatMap((call): readonly [Exchange, string][] => {
    const { rows } = call;
    const pages = exchanges.filter((exchange) => exchange.answer && matchesCall(call, exchange));
    const lastPage = pages.at(-1);
    if (!rows || !lastPage || !fixturesFor(rows.fixture, step)?.length) return [];
    const isListed = pages.some(({ answer }) => findOurRows(readPath(answer?.json, rows.at), references).length > 0);
    return isListed ? [] : [[lastPage, `${rows.at} has no row with our reference.`]];
  });
  return new Map(missing);
};

/** Compares the exchanges of a step with the fixtures of their calls. `references` tell which rows of lists are ours. */
export const compareExchanges = (
  trial: ProviderTrial,
  step: StepName,
  exchanges: readonly Exchange[],
  references: readonly string[],
): readonly ComparedCall[] => {
  const missing = findMissingRows(trial, { step, references }, exchanges);
  return exchanges.map((exchange) => {
    const compared = compare(trial, { step, references }, exchange);
    const difference = missing.get(exchange);
    return difference === undefined ? compared : { ...compared, differences: [...compared.differences, difference] };
  });
};
