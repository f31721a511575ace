import { spawnSync } from 'node:child_process';

/** Tells whether this machine has a command. A test that needs a missing command is skipped. */
export const isInstalled = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
