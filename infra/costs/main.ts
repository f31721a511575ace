import { readFile, writeFile } from 'node:fs/promises';
import { scalingTables } from '#infra/costs/scaling/tables.ts';
import { COSTS_DOCUMENT, SCALING_DOCUMENT, withTables } from './page.ts';
import { costTables, describeAlarms } from './tables.ts';

/* `npm run costs` rewrites the tables of costs.md and scaling.md, and prints the cost of the alarms. */

const DOCUMENTS = [
  [COSTS_DOCUMENT, costTables],
  [SCALING_DOCUMENT, scalingTables],
] as const;
for (const [path, tables] of DOCUMENTS) await writeFile(path, withTables(await readFile(path, 'utf8'), tables()));
console.log(describeAlarms());
