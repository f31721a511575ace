import { globSync, readFileSync } from 'node:fs';

/** Words of our API's routes, of cookies and of command lines. Answers of providers and receivers belong to the domain. */
const FOREIGN =
  /\/api\/v1|\/api\/dashboard|\b(GET|POST|PUT|PATCH|DELETE) \/|cookie|npm run|--(reset|help|yes|stage)\b/i;

test('the domain knows no route, no cookie and no command line', () => {
  const files = globSync('shared/{*/domain,platform/kernel,platform/requests}/**/*.ts');
  expect(files.length).toBeGreaterThan(80);
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (FOREIGN.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
