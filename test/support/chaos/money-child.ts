import { runChaos, type Size } from './money-run.ts';

/** A run in a process of its own, because one process fills one core: takes a size, and prints the outcome, as JSON. */
const outcome = await runChaos(JSON.parse(process.argv[2] ?? '') as Size);
process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
