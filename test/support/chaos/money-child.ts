import { runChaos, type Size } from './money-run.ts';

/** Runs in a process of its own, because one process uses only one core. Takes a size and prints the outcome, both as JSON. */
const outcome = await runChaos(JSON.parse(process.argv[2] ?? '') as Size);
process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
