import type * as z from 'zod/mini';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { parseInput } from '#shared/api/middlewares/validate.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { requestedProvider } from '#shared/providers/contract/requested-provider.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/* Every field with a list of allowed values follows one rule, in the API and in the dashboard: the error about the field names these values. */

type Schema = z.ZodMiniType;
interface Def {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
  readonly items?: readonly Schema[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly shape?: Readonly<Record<string, Schema>>;
}
const defOf = (schema: Schema): Def => schema.def as unknown as Def;

/** Finds whether a field takes a list, and which values the field allows, if they are listed. */
const findValues = (schema: Schema): { readonly isList: boolean; readonly values: readonly string[] } => {
  if (schema === (requestedProvider as Schema)) return { isList: false, values: providerName.options };
  const { type, innerType, in: input, element, options = [], items = [], entries, values } = defOf(schema);
  if (type === 'enum') return { isList: false, values: Object.values(entries ?? {}) };
  if (type === 'literal') return { isList: false, values: (values ?? []).filter((value) => typeof value === 'string') };
  const within = [innerType ?? [], input ?? [], element ?? [], options, items].flat().map(findValues);
  return {
    isList: type === 'array' || type === 'tuple' || within.some(({ isList }) => isList),
    values: within.flatMap((part) => part.values),
  };
};

const fieldsOf = (schema: Schema): Readonly<Record<string, Schema>> => {
  const { shape, innerType, in: input } = defOf(schema);
  const next = innerType ?? input;
  return shape ?? (next ? fieldsOf(next) : {});
};

const CONTRACTS = ALL_FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'endpoint' ? [trigger.contract] : []));
const ENUMERATIONS = CONTRACTS.flatMap((contract) =>
  (['query', 'body'] as const).flatMap((part) => {
    const schema = contract[part];
    if (!schema) return [];
    return Object.entries(fieldsOf(schema)).flatMap(([field, wanted]) => {
      const found = findValues(wanted);
      return found.values.length > 0 ? [{ contract, part, field, ...found }] : [];
    });
  }),
);

/** Returns the messages about a field with this value, and about its parts. */
const readMessages = (contract: Contract, part: 'query' | 'body', field: string, value: unknown): readonly string[] => {
  try {
    const query = part === 'query' ? { [field]: String(value) } : {};
    const event = {
      headers: {},
      rawQueryString: new URLSearchParams(query).toString(),
      queryStringParameters: query,
      pathParameters: { id: 'x', reference: 'x' },
    };
    parseInput(contract, event, { json: part === 'body' ? { [field]: value } : {} });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { errors = [] } = error.details;
    return errors.filter((error) => error.field.split('.')[0] === field).map(({ message }) => message);
  }
  return [];
};

test.each(
  ENUMERATIONS.map((found) => [`${found.contract.method} ${found.contract.path}`, found.field, found] as const),
)(
  '%s lists the allowed values of %s when it refuses another value',
  (_, __, { contract, part, field, isList, values }) => {
    const wrong = ['wrong', 'x'.repeat(100), ...(part === 'body' ? [417, true, {}] : [])];
    for (const value of isList ? [...wrong.map((value) => [value]), ...(part === 'body' ? ['wrong'] : [])] : wrong) {
      const [message = ''] = readMessages(contract, part, field, value);
      for (const name of values) expect(message).toContain(name);
      expect(message).toContain(field);
    }
  },
);

test('the fields with a list of allowed values are exactly the known ones', () => {
  expect(new Set(ENUMERATIONS.map(({ field }) => field))).toEqual(
    new Set([
      ...[
        'provider',
        'banks',
        'currency',
        'status',
        'outcome',
        'type',
        'delivery_status',
        'deliveries',
        'events',
        'kind',
        'role',
      ],
    ]),
  );
});
