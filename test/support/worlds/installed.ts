import { spawnSync } from 'node:child_process';

/** Whether this machine has a command: some tests need one that not every machine has, and are counted as skipped without it. */
export const isInstalled = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
