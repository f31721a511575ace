import { spawnSync } from 'node:child_process';

const GIT_MS = 10_000;

const git = (folder: string, ...words: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8', timeout: GIT_MS });
  return status === 0 ? stdout.trim() : undefined;
};

/** Returns the commit that is checked out in a folder, with `-changed` if tracked files differ from it; undefined outside of git. */
export const checkedOutCommit = (folder: string): string | undefined => {
  const commit = git(folder, 'rev-parse', 'HEAD');
  return commit && git(folder, 'status', '--porcelain', '--untracked-files=no') ? `${commit}-changed` : commit;
};
