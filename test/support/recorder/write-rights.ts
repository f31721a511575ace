import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { TABLE_RIGHTS, type TableRights, withCommonRights } from '#infra/table-rights.ts';
import type { AwsCall } from './recorder.ts';

const FILE = 'infra/table-rights.ts';
const BEGIN = 'export const TABLE_RIGHTS = {';
const END = '} satisfies Readonly<Record<string, TableRights>>;';
/** The actions in the order of the file. */
const ACTIONS = ['GetItem', 'BatchGetItem', 'Query', 'Query gsi1', 'Query gsi2', 'Query gsi3'].concat([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'ConditionCheckItem',
]);
const CALL = /^dynamodb:(\w+(?: gsi\d)?) on (\S+)$/;

const run = promisify(execFile);
/** Lists the rights that a function used, without the rights that every endpoint has. @throws Error for a call that no right names. */
const listOwnRights = ({ name, trigger }: FunctionSpec, calls: readonly AwsCall[]): readonly string[] => {
  const common: TableRights = trigger.kind === 'endpoint' ? withCommonRights({}, trigger.contract) : {};
  const actions = calls.filter(({ caller }) => caller === name).flatMap((call) => call.actions);
  const used = [...new Set(actions)]
    .filter((action) => action.startsWith('dynamodb:'))
    .map((action) => {
      const [, verb = '', family = ''] = CALL.exec(action) ?? [];
      if (!ACTIONS.includes(verb)) throw new Error(`${name} makes ${action}, which no right names.`);
      return { verb, family };
    });
  return ACTIONS.flatMap((verb) => {
    const commonFamilies: readonly string[] = common[verb as keyof TableRights] ?? [];
    const families = used
      .filter((right) => right.verb === verb && !commonFamilies.includes(right.family))
      .map(({ family }) => family);
    return families.length === 0 ? [] : [`'${verb}': ${JSON.stringify(families.sort())}`];
  });
};

/** Rewrites the table rights of every function from these calls. @throws Error for a call that no right names. */
export const writeRights = async (calls: readonly AwsCall[]): Promise<void> => {
  const names = Object.keys(TABLE_RIGHTS);
  const sorted = ALL_FUNCTIONS.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const rights = sorted.map((spec) => `'${spec.name}': { ${listOwnRights(spec, calls).join(', ')} },`);
  const source = await readFile(FILE, 'utf8');
  const [before = ''] = source.split(BEGIN);
  await writeFile(FILE, `${before}${BEGIN}\n${rights.join('\n')}\n${END}${source.split(END)[1]}`);
  await run('node_modules/.bin/biome', ['check', '--write', FILE]);
};
