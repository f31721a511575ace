import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The folders with code, pages and settings that people write. */
const ROOTS = ['.ci', 'functions', 'infra', 'shared', 'test'];
const TEXT = /\.(ts|js|mjs|json|css|py|go|java|php|yaml|txt|md)$|^run$/;
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // `npm run mutation` installs Stryker below test/.
    .filter((file) => !file.includes('node_modules'));
const tops = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isFile() && TEXT.test(entry.name) && entry.name !== 'package-lock.json')
  .map(({ name }) => name);
const FILES = [...tops, ...ROOTS.flatMap(filesBelow)].filter((file) => file !== relative('.', import.meta.filename));

const PAGES = FILES.filter((file) => file.endsWith('.md'));
interface Page {
  readonly numbers: ReadonlySet<string>;
  readonly headings: ReadonlySet<string>;
}
const pages = new Map<string, Page>(
  PAGES.map((path) => {
    const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
    const numbers = headings.flatMap((heading) => /^(\d+(?:\.\d+)*)\.? /.exec(heading)?.[1] ?? []);
    return [path, { numbers: new Set(numbers), headings: new Set(headings) }];
  }),
);

/** Finds a page by its path from the file's folder or from the top, or by its file name if that is unique. */
const find = (name: string, from: string): Page | undefined => {
  const path = [join(dirname(from), name), name].find((one) => pages.has(one));
  const called = PAGES.filter((page) => page.endsWith(`/${name}`));
  return pages.get(path ?? (called.length === 1 ? (called[0] ?? '') : ''));
};

const NUMBER = '\\d+(?:\\.\\d+)*';
/** A citation: a page's name, with sections by number or a heading in quotes. Links and URLs do not match. */
const CITATION = new RegExp(
  `(?<![\\w./-])((?:[\\w-]+/)*[\\w-]+\\.md)\\b(?:\`?,? "([^"\\n]+)"| sections? (${NUMBER}(?:(?:, | and )${NUMBER})*))?`,
  'g',
);
/** Other forms, which name no file or hide the section's number, are refused. */
const OLD_FORMS = [
  /\bservice description,? (?:section )?\d[\d.]*/g,
  /(?<![\w./-])[\w-]+\.md \d[\d.]*/g,
  /\bsections? \d[\d.]* of [\w-]+\.md/gi,
  /(?<!\[)\bdecisions? \d+/gi,
];
const LINK = /\]\(([^)\s]+)\)/g;
/** A page named by a path that begins with `../`. */
const UPWARDS = /(?<![\w./-])(?:\.\.\/)+[\w./-]+\.md\b/g;

/** The text with comment lines joined, because a citation may continue on the next line. */
const unwrapped = (text: string): string => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g, ' ');

/** The problems of a file's citations, one sentence each. */
const problemsOf = (file: string, raw: string): string[] => {
  const text = unwrapped(raw);
  const cited = [...text.matchAll(CITATION)].flatMap(([all, name = '', heading, numbers]) => {
    const page = find(name, file);
    if (!page) return [`${all}: there is no such page`];
    const missing = (numbers?.split(/, | and /) ?? []).filter((number) => !page.numbers.has(number));
    if (heading !== undefined && !page.headings.has(heading)) return [`${all}: it has no such heading`];
    return missing.map((number) => `${all}: it has no section ${number}`);
  });
  const old = OLD_FORMS.flatMap((form) => text.match(form) ?? []).map(
    (all) => `${all}: write \`page.md section N\` or \`page.md\``,
  );
  const upwards = (text.match(UPWARDS) ?? [])
    .filter((path) => !pages.has(relative('.', resolve(dirname(file), path))))
    .map((path) => `${path}: there is no such page in the repository`);
  const outside = file.endsWith('.md')
    ? [...raw.matchAll(LINK)]
        .map(([, target = '']) => target)
        .filter((target) => !/^(https?:|#)/.test(target))
        .filter((target) => relative('.', resolve(dirname(file), target)).startsWith('..'))
        .map((target) => `${target}: it leads out of the repository`)
    : [];
  return [...cited, ...upwards, ...old, ...outside].map((problem) => `${file}: ${problem}`);
};

describe('citations of pages', () => {
  test('are recognized in every allowed form, and refused in others', () => {
    const page = 'infra/docs/design/architecture.md';
    const right = [
      'See architecture.md section 5.',
      'See `infra/docs/costs.md`, and providers.md sections 1.3, 2.1 and 3.3.',
      ' * goes on (architecture.md\n * section 5).',
      '`runbook.md`, "Dead letters"',
      'goes by its own count (0016-rate-limit-never-lapses.md), see [decision 16](decisions/0016-rate-limit-never-lapses.md)',
    ];
    expect(right.flatMap((text) => problemsOf('shared/made-up.ts', text))).toEqual([]);
    expect(problemsOf(page, '[x](../costs.md) and ../runbook.md')).toEqual([]);
    const wrong: readonly [string, string][] = [
      ['See nowhere.md.', 'nowhere.md: there is no such page'],
      ['See ../elsewhere/plan.md.', '../elsewhere/plan.md: there is no such page in the repository'],
      ['architecture.md section 99', 'architecture.md section 99: it has no section 99'],
      ['providers.md sections 1.3 and 1.99', 'providers.md sections 1.3 and 1.99: it has no section 1.99'],
      [' * architecture.md\n * section 99', 'architecture.md section 99: it has no section 99'],
      ['runbook.md "No such entry"', 'runbook.md "No such entry": it has no such heading'],
      ['providers.md 2.4', 'providers.md 2.4: write `page.md section N` or `page.md`'],
      ['section 2 of architecture.md', 'section 2 of architecture.md: write `page.md section N` or `page.md`'],
      ['the service description, section 7', 'service description, section 7: write `page.md section N` or `page.md`'],
      ['goes by its own count (decision 16)', 'decision 16: write `page.md section N` or `page.md`'],
    ];
    for (const [text, problem] of wrong) {
      expect(problemsOf('shared/made-up.ts', text)).toEqual([`shared/made-up.ts: ${problem}`]);
    }
    const away = '../../../../elsewhere/page.txt';
    expect(problemsOf(page, `[x](${away})`)).toEqual([`${page}: ${away}: it leads out of the repository`]);
  });

  test('lead to a page and a section of this repository', () => {
    expect(FILES.length).toBeGreaterThan(600);
    const texts = FILES.map((file) => [file, readFileSync(file, 'utf8')] as const);
    expect(texts.flatMap(([, text]) => text.match(CITATION) ?? []).length).toBeGreaterThan(200);
    expect(texts.flatMap(([file, text]) => problemsOf(file, text))).toEqual([]);
  });
});

describe('names of code files', () => {
  /** A file's name, with or without its path, as comments write it. */
  const NAMED = /(?<![\w./#*@-])(?:[\w-][\w.-]*\/)*[\w.-]+\.(?:ts|js|json)\b/g;
  const COMMENT = /(?:^\s*\*|\/\*|(?:^|\s)\/\/\s).*$/gm;
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const isThere = (name: string): boolean =>
    Object.hasOwn(dependencies, name) || FILES.some((file) => file === name || file.endsWith(`/${name}`));

  test('in comments lead to a file', () => {
    const named = FILES.filter((file) => /\.[tj]s$/.test(file)).flatMap((file) =>
      (readFileSync(file, 'utf8').match(COMMENT) ?? []).flatMap((line) =>
        (line.match(NAMED) ?? []).map((name) => [file, name] as const),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([, name]) => !isThere(name))).toEqual([]);
  });
});

describe('the index of pages', () => {
  test('links every page', () => {
    const index = readFileSync('infra/docs/README.md', 'utf8');
    const linked = [...index.matchAll(LINK)].map(([, target = '']) => join('infra/docs', target));
    const there = PAGES.filter((path) => path.startsWith('infra/docs/') && path !== 'infra/docs/README.md');
    expect(linked.filter((path) => path.startsWith('infra/docs/')).sort()).toEqual(there.sort());
  });

  test('is linked by the README, as are the pages that people look for first', () => {
    const links = [...readFileSync('README.md', 'utf8').matchAll(LINK)].map(([, target = '']) => target);
    for (const page of [
      'infra/docs/README.md',
      'infra/docs/runbook.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'LICENSE',
    ]) {
      expect(links).toContain(page);
    }
  });
});
