import { spawnSync } from 'node:child_process';

/** Tells whether this machine has a command. Tests that need one are skipped without it. */
export const isInstalled = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
