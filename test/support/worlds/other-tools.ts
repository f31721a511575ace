import { spawnSync } from 'node:child_process';
import { isLongRun, longTest } from '#test/support/jest/long.ts';

/* Languages of others that a long test may need. test/tools/ensure-*.sh installs them where it may. */

const PHP_PACKAGES = `exit(extension_loaded('curl') && extension_loaded('mbstring') && stream_resolve_include_path('GuzzleHttp/autoload.php') ? 0 : 1);`;

/** The commands by which each shows that it is there with all that the tests need. */
const SHOWN_BY = {
  GO: [['go', 'version']],
  PHP: [['php', '-r', PHP_PACKAGES]],
  JAVA: [
    ['javac', '-version'],
    ['mvn', '-version'],
  ],
} as const satisfies Record<string, readonly (readonly [string, ...string[]])[]>;

export type Language = keyof typeof SHOWN_BY;

const isThere = (language: Language): boolean =>
  SHOWN_BY[language].every(([command, ...args]) => spawnSync(command, args).status === 0);

/** CI sets REQUIRE_GO and so on where it could install them: there no test may be left out. */
export const hasLanguages = (languages: readonly Language[]): boolean =>
  languages.every((one) => process.env[`REQUIRE_${one}`] === '1' || (isLongRun && isThere(one)));

/** A long test that needs languages; where they are not there, its name says so. */
export const languageTest = (
  languages: readonly Language[],
  name: string,
  work: () => Promise<void>,
  limitMs: number,
): void => {
  if (!isLongRun || hasLanguages(languages)) longTest(name, work, limitMs);
  else {
    const scripts = languages.map((one) => `test/tools/ensure-${one.toLowerCase()}.sh`);
    test.skip(`${name}, for want of what ${scripts.join(' and ')} installs`, () => {});
  }
};
