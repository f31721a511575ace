import { spawnSync } from 'node:child_process';
import { isLongRun, longTest } from '#test/support/jest/long.ts';

/* The languages that some tests need. test/tools/ensure-*.sh installs them if it may. */

const PHP_CHECK = `exit(extension_loaded('curl') && extension_loaded('mbstring') && extension_loaded('pdo_sqlite') && stream_resolve_include_path('GuzzleHttp/autoload.php') ? 0 : 1);`;
/** Succeeds if Go has the variable GOTOOLCHAIN: such a version downloads the toolchain that a module names. */
const GO_CHECK = 'case "$(go env GOTOOLCHAIN)" in "") exit 1;; esac; echo "package a" | gofmt';

/** The commands that check for a language with all that the tests need. */
const CHECKED_BY = {
  Node: [],
  Python: [['python3', '--version']],
  Requests: [['python3', '-c', 'import requests']],
  PHP: [['php', '-r', PHP_CHECK]],
  Go: [['sh', '-c', GO_CHECK]],
  Java: [
    ['javac', '-version'],
    ['mvn', '-version'],
  ],
} as const satisfies Record<string, readonly (readonly [string, ...string[]])[]>;

/** A language, or the Python library of the samples. */
export type Language = keyof typeof CHECKED_BY;

const known = new Map<Language, boolean>();
/** CI sets REQUIRE_GO and so on for the languages that it could install, so that no test is left out. */
const hasLanguage = (language: Language): boolean => {
  const has =
    known.get(language) ??
    (process.env[`REQUIRE_${language.toUpperCase()}`] === '1' ||
      CHECKED_BY[language].every(([command, ...args]) => spawnSync(command, args).status === 0));
  known.set(language, has);
  return has;
};

/** Tells whether a test that needs languages must run. */
export const hasLanguages = (languages: readonly Language[]): boolean => languages.every(hasLanguage);

export type Play = (...args: Parameters<jest.It>) => void;

/** Makes Jest's `test` for tests that need languages; if `isLong`, only for long runs. A test that lacks a language is skipped, and its name says so. */
export const testWith = (languages: readonly Language[], { isLong = false } = {}): Play => {
  const play: Play = (...args) => (isLong ? longTest : test)(...args);
  if (isLong && !isLongRun) return play;
  const lacking = languages.filter((language) => !hasLanguage(language));
  if (lacking.length > 0) return (name) => test.skip(`${name}, for want of ${lacking.join(' and ')}`, () => {});
  return play;
};
