import { readFile, writeFile } from 'node:fs/promises';
import { COSTS_PAGE, withTables } from './page.ts';
import { costTables, describeAlarms } from './tables.ts';

/* `npm run costs` writes the tables of costs.md anew, and prints what the alarms cost. */

await writeFile(COSTS_PAGE, withTables(await readFile(COSTS_PAGE, 'utf8'), costTables()));
console.log(describeAlarms());
