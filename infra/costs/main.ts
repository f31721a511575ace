import { readFile, writeFile } from 'node:fs/promises';
import { scalingTables } from '#infra/costs/scaling/tables.ts';
import { COSTS_PAGE, SCALING_PAGE, withTables } from './page.ts';
import { costTables, describeAlarms } from './tables.ts';

/* `npm run costs` writes the tables of costs.md and scaling.md anew, and prints what the alarms cost. */

const PAGES = [
  [COSTS_PAGE, costTables],
  [SCALING_PAGE, scalingTables],
] as const;
for (const [page, tables] of PAGES) await writeFile(page, withTables(await readFile(page, 'utf8'), tables()));
console.log(describeAlarms());
