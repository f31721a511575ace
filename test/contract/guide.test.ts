import { execFileSync } from 'node:child_process';
import { chapters, guide } from '#infra/openapi/guide.ts';
import { findLinks, listHeadings } from '#infra/openapi/page/links.ts';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { setKeyWhitelistContract } from '#shared/businesses/contract/keys.ts';
import { MAX_MEMBERS } from '#shared/businesses/domain/member.ts';
import { MAX_WEBSITES } from '#shared/businesses/domain/profile.ts';
import { MAX_PASSKEYS, WAIT_FOR_LIVE } from '#shared/members/domain/passkey.ts';
import { IDLE_LIFETIME, SESSION_LIFETIME, STEP_UP_LIFETIME } from '#shared/members/domain/session.ts';
import { CODE_LIFETIME, CODE_LIMITS, MAX_TRIES } from '#shared/members/domain/sign-in.ts';
import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { USER_AGENT } from '#shared/webhooks/http-out/webhook-poster.ts';

const text = guide();
const headings = chapters().flatMap((chapter) => [
  { id: chapter.slug, title: chapter.title },
  ...listHeadings(chapter),
]);
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Finds a chapter by its title. */
const findChapter = (title: string): string =>
  text.split(/^(?=# )/m).find((chapter) => chapter.startsWith(`# ${title}\n`)) ?? '';

describe('the headings of the guide', () => {
  test.each([
    'going live',
    'dashboard',
    'first owner',
    'signing in',
    'passkey and its day',
    'keys',
    'whitelist',
    'websites',
    'webhook endpoint',
    'addresses that webhooks come from',
    'settlement',
    'provider’s own steps',
    'first live payment',
    'checklist',
    'contact',
    'roles',
    'team',
    'audit log',
    'mails',
    'cause and cure',
    'partial failure',
    'changelog',
  ])('mention “%s”', (words) => {
    expect(headings.filter(({ title }) => title.toLowerCase().includes(words))).not.toEqual([]);
  });

  test('mention “websites” and “whitelist” in two chapters: the dashboard and going live', () => {
    for (const words of ['websites', 'whitelist']) {
      const ids = headings.filter(({ title }) => title.toLowerCase().includes(words)).map(({ id }) => id);
      expect(ids.some((id) => id.startsWith('the-dashboard-'))).toBe(true);
      expect(ids.some((id) => id.startsWith('going-live-'))).toBe(true);
    }
  });
});

describe('the guide', () => {
  test('has no two equal headings, so that each name leads to one place', () => {
    const titles = headings.map(({ title }) => title);
    // The changelog's headings are dates, and several chapters have headings for languages.
    const unique = titles.filter((title) => !/^\d|^(Node|Python|PHP|Go|Java)$/.test(title));
    expect(unique.filter((title, i) => unique.indexOf(title) !== i)).toEqual([]);
  });

  test('uses italics only for existing chapters, headings and endpoints', () => {
    const { titles } = findLinks(parseDocument());
    const named = chapters().flatMap(({ title, markdown }) =>
      [...markdown.matchAll(/(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)/g)].map(([, name = '']) => [title, name] as const),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([, name]) => !titles.has(name))).toEqual([]);
  });
});

test('the guide’s table of errors has a row for every code, with status, message, cause and cure', () => {
  const rows = findChapter('Errors').split('\n');
  for (const [code, { status, message }] of Object.entries(API_ERRORS)) {
    const row = rows.find((line) => line.startsWith(`| \`${code}\` | ${status} | ${message} |`)) ?? code;
    const [, , , , cause = '', cure = '', ...rest] = row.split(' | ').join('|').split('|');
    expect([code, rest]).toEqual([code, ['']]);
    for (const sentence of [cause.trim(), cure.trim()]) expect(sentence).toMatch(/^[A-Z`*].{10,}[.”)]$/);
  }
});

test('the chapters on going live, the dashboard and webhooks have the figures of the code', () => {
  const live = findChapter('Going live').replaceAll('**', '');
  const dashboard = findChapter('The dashboard');
  const webhooks = findChapter('Webhooks');
  expect(live).toContain(`only ${WAIT_FOR_LIVE / HOUR} hours after you added it`);
  expect([MAX_WEBSITES, MAX_PASSKEYS, MAX_TRIES]).toEqual([20, 10, 5]);
  expect(live).toContain('There are at most twenty.');
  expect(dashboard).toContain('You can have ten.');
  expect(dashboard).toContain('five wrong tries end it');
  expect(dashboard).toContain(`and ${MAX_MEMBERS} members at most`);
  expect([CODE_LIFETIME, STEP_UP_LIFETIME]).toEqual([10 * MINUTE, 10 * MINUTE]);
  expect(dashboard).toContain('A code works once, for ten minutes');
  expect(dashboard).toContain('a passkey that was used in the last ten minutes');
  expect([SESSION_LIFETIME, IDLE_LIFETIME]).toEqual([12 * HOUR, 30 * MINUTE]);
  expect(dashboard).toContain('A session ends after twelve hours, and after half an hour without use');
  const [quarter, day] = CODE_LIMITS.address;
  expect([quarter.most, quarter.window, day.most, day.window]).toEqual([3, 15 * MINUTE, 10, DAY]);
  expect(dashboard).toContain('An address gets three codes in a quarter of an hour, and ten a day.');
  const entries = (most: number) => Array.from({ length: most }, (_, i) => `102.89.23.${i}`);
  const { body } = setKeyWhitelistContract;
  expect(body?.safeParse({ ip_whitelist: entries(100) }).success).toBe(true);
  expect(body?.safeParse({ ip_whitelist: entries(101) }).success).toBe(false);
  expect(live).toContain('at most a hundred');
  expect(webhooks).toContain(`\`User-Agent: ${USER_AGENT}\``);
});

describe('the guide’s changelog', () => {
  const dates = [...findChapter('Changelog').matchAll(/^## (.+)$/gm)].map(([, date = '']) => {
    const [day = '', month = '', year = ''] = date.split(' ');
    return `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  });

  test('has a valid date for each entry, newest first, and no date twice', () => {
    expect(dates.length).toBeGreaterThan(1);
    for (const date of dates) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
  });

  test('has no entry later than the newest commit', () => {
    const newest = execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
    const today = new Date(Number(newest) * 1_000).toISOString().slice(0, 10);
    expect(dates.filter((date) => date > today)).toEqual([]);
  });
});

test('the guide has no placeholder without a value', () => {
  expect(text.match(/.{0,40}\{\{[^"'}]*\}\}.{0,40}/g) ?? []).toEqual([]);
});
