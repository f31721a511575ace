import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as z from 'zod';

/*
 * Installs what checks, synthesis and deployments need (`peerDependencies` of package.json), unless it is there already. `npm ci` leaves
 * it out. The versions and hashes are those of package-lock.json.
 */

const manifest = z.object({ peerDependencies: z.record(z.string(), z.string()) });
const installed = z.object({ version: z.string() });

/** The version of a package in node_modules; undefined where it is not installed. */
const versionOf = (name: string): string | undefined => {
  try {
    return installed.parse(JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))).version;
  } catch {
    return undefined;
  }
};

const { peerDependencies } = manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
const missing = Object.entries(peerDependencies).filter(([name, version]) => versionOf(name) !== version);
if (missing.length > 0) {
  const names = missing.map(([name, version]) => `${name} ${version}`).join(', ');
  // Not on the standard output, which CDK reads.
  console.error(`Installing the tools for checks and deployments, once: ${names}.`);
  const { status } = spawnSync('npm', ['install', '--no-save', '--include=peer', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error(
      'The tools could not be installed. Type check, lint, infrastructure tests and deployments need them.',
    );
    process.exitCode = 1;
  }
}
