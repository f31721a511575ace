import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_CONCURRENT_CALLS } from '#shared/adapters/providers/common/guard.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { NOTIFICATION_RETENTION } from '#shared/domain/money/notification.ts';
import { OUTAGE_AFTER, PROBE_INTERVAL } from '#shared/domain/providers/breaker.ts';
import { IDEMPOTENCY_RETENTION } from '#shared/domain/requests/idempotency.ts';
import { DISABLES_AFTER } from '#shared/domain/webhooks/breaker.ts';
import {
  LAST_STEP_SIZE,
  OPENS_AFTER_FAILURES,
  OPENS_AFTER_REFUSALS,
} from '#shared/domain/webhooks/breaker-transitions.ts';
import { ATTEMPT_TIMEOUT } from '#shared/domain/webhooks/delivery.ts';
import { LEASE, LONGEST_QUEUE_DELAY } from '#shared/domain/webhooks/delivery-transitions.ts';
import { PARKED_RETENTION } from '#shared/domain/webhooks/endpoint.ts';
import { EVENT_RETENTION, eventType } from '#shared/domain/webhooks/event.ts';
import { DEFAULT_SCHEDULE } from '#shared/domain/webhooks/retry-schedule.ts';
import { INTENT_LEASE } from '#shared/use-cases/requests/begin-intents.ts';

/* Compares lists and numbers in the design pages with the code. */

const read = (name: string): Promise<string> => readFile(join('infra/docs/design', name), 'utf8');
/** Every match of the first group. */
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
/** A section of a page by its number, with line breaks as spaces. */
const section = (page: string, number: number): string =>
  (page.split(`\n## ${number}. `)[1]?.split('\n## ')[0] ?? '').replaceAll(/\s+/g, ' ');

test('the architecture lists every kind of key', async () => {
  const keys = await readFile('shared/adapters/dynamodb/table/keys.ts', 'utf8');
  const kinds = new Set([...all(keys, /single\('([A-Z]+)'/g), ...all(keys, /(?:pk|sk): `([A-Z]+)#/g)]);
  expect(kinds.size).toBeGreaterThan(15);
  const table = section(await read('architecture.md'), 3);
  expect([...kinds].filter((kind) => !table.includes(`\`${kind}#`))).toEqual([]);
});

test('the architecture gives the numbers of deliveries', async () => {
  const text = section(await read('architecture.md'), 5);
  const gaps = DEFAULT_SCHEDULE.gaps.map((gap) =>
    gap < MINUTE ? `${gap / SECOND} s` : gap < HOUR ? `${gap / MINUTE} min` : `${gap / HOUR} h`,
  );
  for (const sentence of [
    `${gaps.join(', ')}, then hourly`,
    `until ${DEFAULT_SCHEDULE.until / HOUR} h after the first attempt`,
    `leased for ${LEASE / SECOND} s`,
    `2xx within ${ATTEMPT_TIMEOUT / SECOND} s`,
    `due within ${LONGEST_QUEUE_DELAY / MINUTE} minutes`,
    `${OPENS_AFTER_FAILURES} failures in a row, or ${OPENS_AFTER_REFUSALS} refusals (4xx)`,
    `up to ${LAST_STEP_SIZE.toLocaleString('en')}.`,
    `What is parked waits ${PARKED_RETENTION / DAY} days`,
  ]) {
    expect(text).toContain(sentence);
  }
  expect(DISABLES_AFTER / DAY).toBe(5);
  expect(text).toContain('Five days of nothing but failures');
  expect(DEFAULT_SCHEDULE.afterwards).toBe(HOUR);
});

test('the architecture gives the numbers of requests, the table and providers', async () => {
  const page = await read('architecture.md');
  expect(section(page, 2)).toContain(`a claim with a lease of ${INTENT_LEASE / SECOND} s`);
  const table = section(page, 3);
  expect(table).toContain(`Notification, ${NOTIFICATION_RETENTION / DAY} days`);
  expect(table).toContain(`Event, ${EVENT_RETENTION / DAY} days`);
  expect(table).toContain(`Idempotency record, ${IDEMPOTENCY_RETENTION / HOUR} hours`);
  const providers = section(page, 6);
  expect(providers).toContain(`At most ${MAX_CONCURRENT_CALLS} calls at once`);
  expect(OUTAGE_AFTER).toBe(5);
  expect(providers).toContain(`After five failures in a row one call in ${PROBE_INTERVAL / SECOND} s`);
});

test('the architecture gives the budgets of the bench', async () => {
  const rows = section(await read('architecture.md'), 9);
  const [sizes, imports, deliveries, growth, memory] = await Promise.all(
    ['sizes', 'imports', 'deliveries', 'growth', 'memory'].map((name) => readFile(`test/bench/${name}.ts`, 'utf8')),
  );
  const budget = (source: string | undefined, name: string): number =>
    Number(new RegExp(`const ${name} = ([\\d._]+);`).exec(source ?? '')?.[1]?.replaceAll('_', ''));
  expect(rows).toContain(
    `${budget(sizes, 'BUDGET') / 1_000} kB; ${budget(sizes, 'BUDGET_WITH_PROVIDERS') / 1_000} kB where`,
  );
  expect(rows).toContain(`${budget(imports, 'BUDGET').toFixed(1)} times its processor time`);
  expect(rows).toContain(`p95 at most ${budget(deliveries, 'P95_BUDGET_MS')} ms`);
  expect(rows).toContain(`at most ${budget(growth, 'BUDGET')} times the time at 1,000`);
  expect(rows).toContain(`at most ${budget(memory, 'BUDGET')} times its early size`);
  expect(budget(deliveries, 'THROUGHPUT_BUDGET')).toBe(0.5);
  expect(rows).toContain('at least half of its throughput');
});

test('the API decisions list every type of event', async () => {
  const page = (await read('api-decisions.md')).split('\n## 5.')[1]?.split('\n## 6.')[0] ?? '';
  const cells = all(page, /^\| (`[a-z_.`, ]+) \| /gm).flatMap((cell) => all(cell, /`([a-z_]+\.[a-z_]+)`/g));
  expect(cells.sort()).toEqual([...eventType.options].sort());
});
