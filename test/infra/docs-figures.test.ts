import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { settingsOf } from '#infra/config.ts';

import { variableNames } from '#infra/constructs/environment.ts';
import { KEYS_VARIABLES, keysName } from '#infra/constructs/names.ts';
import { KEPT_UNRESERVED, reservedInAll, SLOW_FUNCTIONS } from '#infra/constructs/reserved-concurrency.ts';
import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';

import { FUNCTIONS } from '#infra/functions.ts';
import { TABLE } from '#infra/table.ts';
import { type AlarmSpec, dashboardAlarms } from '#infra/watch/alarm-specs.ts';
import { alarmSpecs } from '#infra/watch/alarms.ts';
import { MAX_CONCURRENT_CALLS } from '#shared/adapters/providers/common/guard.ts';
import { REGISTRY } from '#shared/adapters/providers/registry.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { OUTAGE_AFTER, PROBE_INTERVAL } from '#shared/domain/providers/breaker.ts';
import { providerName } from '#shared/domain/providers/provider.ts';
import { LONGEST_QUEUE_DELAY } from '#shared/domain/webhooks/delivery-transitions.ts';
import { DEFAULT_SCHEDULE } from '#shared/domain/webhooks/retry-schedule.ts';

const DOCS = 'infra/docs';
const read = (name: string): Promise<string> => readFile(join(DOCS, name), 'utf8');

/** Dollars a month for each metric in an alarm. */
const ALARM_METRIC = 0.1;

describe('the pages and the code agree', () => {
  test('on the shape of each provider’s credentials', async () => {
    for (const [page, pattern] of [
      ['secrets.md', /^\| (\w+) \| `(\{.*?\})` \|$/gm],
      ['first-deployment.md', /^\| `\/payments\/prod\/providers\/(\w+)` \| `(\{.*?\})` \|$/gm],
    ] as const) {
      const rows = [...(await read(page)).matchAll(pattern)];
      expect(rows.map(([, provider]) => provider).sort()).toEqual([...providerName.options].sort());
      for (const [, provider, json = ''] of rows) {
        const shape = REGISTRY[providerName.parse(provider)].credentials;
        expect(Object.keys(shape.parse(JSON.parse(json)))).toEqual(Object.keys(JSON.parse(json)));
        if (page === 'secrets.md') expect(Object.keys(JSON.parse(json))).toEqual(Object.keys(shape.shape));
      }
    }
  });

  test('on the functions that have the hash key in their settings, and those that read each other key', async () => {
    const page = await read('secrets.md');
    const all = [...FUNCTIONS, ...DASHBOARD_FUNCTIONS];
    const knowing = (variable: string) => all.filter((spec) => variableNames(spec).includes(variable));
    expect(page).toContain(`environment of ${knowing('HASH_KEY').length} functions as \`HASH_KEY\``);
    for (const variable of KEYS_VARIABLES) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${keysName('prod', variable)}\` |`)) ?? '';
      const named = [...(row.split(' | ')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
      expect([variable, named.sort()]).toEqual([
        variable,
        knowing(variable)
          .map(({ name }) => name)
          .sort(),
      ]);
    }
  });

  test('on the address that providers notify', async () => {
    const route = FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'route' ? [trigger.route] : []));
    const path = route.find((one) => one.includes('{provider}'))?.replace('POST ', '');
    const page = await read('first-deployment.md');
    for (const provider of providerName.options) {
      expect(page).toContain(`\`<base URL>${path?.replace('{provider}', provider)}\``);
    }
  });

  test('on prod’s settings', async () => {
    const { concurrency, dueShards, throttle } = settingsOf('prod');
    const { first, retry, slow, test } = concurrency.lanes;
    const consumer = first + retry + slow + test;
    const [scaling, restore, costs] = [await read('scaling.md'), await read('restore.md'), await read('costs.md')];
    const batches = FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'queue' ? [trigger.batchSize] : []));
    expect(costs).toContain(`in prod at most ${first} × ${batches} first attempts\n`);
    expect(scaling).toContain(`Prod reserves ${concurrency.notifications} for notifications and ${consumer} for the`);
    const names = SLOW_FUNCTIONS.map(({ name }) => name);
    expect(scaling).toContain(
      `${concurrency.ceiling * names.length} for the five functions whose request can last seconds, ${concurrency.ceiling} each`,
    );
    for (const name of names) expect(scaling).toContain(`\`${name}\``);
    expect(restore).toContain(
      `for name in ${names.join(' ')}; do\n  aws lambda put-function-concurrency --function-name payments-$STAGE-$name --reserved-concurrent-executions ${concurrency.ceiling}\n`,
    );
    for (const name of ['management', 'dashboard'] as const) {
      const { rate, burst } = throttle[name];
      expect(scaling).toContain(`| each route of ${name} | ${rate} a second, ${burst} at once |`);
    }
    expect(scaling).toContain(`deliveries: ${dueShards} shards of 1,000 writes a second`);
    expect(scaling).toContain(
      `${throttle.rate.toLocaleString('en')} requests a second, ${throttle.burst.toLocaleString('en')} at once`,
    );
    expect(restore).toContain(`receive-notification --reserved-concurrent-executions ${concurrency.notifications}\n`);
    expect(restore).toContain(`deliver-webhooks --reserved-concurrent-executions ${consumer}\n`);
  });

  test('on the most requests that a provider gets at once', async () => {
    const { concurrency } = settingsOf('prod');
    const { notifications, quota } = concurrency;
    const rest = quota - reservedInAll(concurrency);
    const page = await read('scaling.md');
    for (const [from, most] of [
      ['notifications, one look-up at a time each', notifications],
      ['the sweeper, one run a minute', MAX_CONCURRENT_CALLS],
      ['what is not reserved', rest],
    ]) {
      expect(page).toMatch(new RegExp(`\\| [^|]*${from} \\| ${most} \\|`));
    }
    expect(page).toContain(`| **in all, at most** | **${notifications + MAX_CONCURRENT_CALLS + rest}** |`);
    expect(OUTAGE_AFTER).toBe(5);
    expect(page).toContain(
      `five failures in a row, of all containers together): one request in ${PROBE_INTERVAL / SECOND} s`,
    );
    // At most one sweeper runs, because its timeout is shorter than its interval.
    const [sweeper] = FUNCTIONS.filter(({ name }) => name === 'sweep-payments');
    expect(sweeper?.trigger).toMatchObject({ everySeconds: 60 });
    expect(sweeper?.timeoutSeconds).toBeLessThan(60);
  });

  test('on the concurrency that each stage reserves, and the quota it needs', async () => {
    const reservedBy = (stage: string) => {
      const { reserved, notifications, lanes, ceiling } = settingsOf(stage).concurrency;
      const consumer = lanes.first + lanes.retry + lanes.slow + lanes.test;
      return reserved ? [notifications, consumer, ceiling * SLOW_FUNCTIONS.length] : [0, 0, 0];
    };
    const mail = { from: 'payments@example.com' };
    const isTaken = (stage: string, quota: number, more: object): boolean => {
      const { stage: _, ...settings } = settingsOf(stage);
      const input = { ...settings, ...more, concurrency: { ...settings.concurrency, quota } };
      try {
        return settingsOf(stage, { [stage]: input }).concurrency.quota === quota;
      } catch {
        return false;
      }
    };
    // All concurrencies and bursts are multiples of five.
    const QUOTAS = Array.from({ length: 200 }, (_, at) => 5 * (at + 1));
    const quotaOf = (stage: string, more: object): number =>
      QUOTAS.find((quota) => isTaken(stage, quota, more)) ?? Number.NaN;
    const rowOf = (name: string, amounts: readonly number[], stages: readonly string[] = [name]): string => {
      const inAll = amounts.reduce((sum, amount) => sum + amount, 0);
      const needed = [{}, { mail }].map((more) =>
        Math.max(inAll + KEPT_UNRESERVED, ...stages.map((stage) => quotaOf(stage, more))),
      );
      const left = settingsOf('prod').concurrency.quota - inAll;
      return `| ${[name, ...amounts, ...(inAll === 0 ? ['any', 'any'] : needed), left].join(' | ')} |`;
    };
    const [staging, prod] = [reservedBy('staging'), reservedBy('prod')];
    const rows = [
      ...['dev', 'staging', 'prod'].map((stage) => rowOf(stage, reservedBy(stage))),
      rowOf(
        'staging and prod in one account',
        staging.map((amount, i) => amount + (prod[i] ?? 0)),
        ['staging', 'prod'],
      ),
    ];
    for (const page of ['first-deployment.md', 'scaling.md']) expect(await read(page)).toContain(rows.join('\n'));
  });

  test('on the alarms that take a release back, and on the options of CDK that name them', async () => {
    const section = (await read('runbook.md')).split('\n## Deploying again\n')[1]?.split('\n## ')[0] ?? '';
    const named = [...section.matchAll(/"payments-\$STAGE-([\w-]+)"/g)].map(([, name = '']) => name);
    const alarms = named.filter((name) => !['api', 'dashboard'].includes(name));
    const watched = { stage: 'prod', tableName: 'the-table', apiId: 'the-api', hasDashboard: false };
    const made = alarmSpecs(watched).map(({ entry, of }) => (of === undefined ? entry : `${entry}-${of}`));
    expect(alarms.filter((name) => !made.includes(name))).toEqual([]);
    expect(new Set(alarms).size).toBe(5);
    const options = [...section.matchAll(/--((?:rollback|monitoring)[\w-]+)/g)].map(([, option = '']) => option);
    expect(new Set(options)).toEqual(new Set(['rollback-trigger-alarm-arns', 'monitoring-time-minutes']));
    const cli = await readFile('node_modules/aws-cdk/lib/index.js', 'utf8');
    for (const option of options) expect(cli).toContain(`"${option}"`);
  });

  test('on what is to be done before a route goes that has a throttle', async () => {
    const [, section = ''] = (await read('runbook.md')).split('\n## A route goes that has a throttle\n');
    expect(section).toContain(
      'aws apigatewayv2 delete-route-settings --api-id "$API" --stage-name \'$default\' --route-key',
    );
    expect(section.split('\n## ')[0]).toContain('`infra/throttled-routes.ts`');
  });

  /** AWS bills an alarm by the metrics under its expressions; an expression that names none is taken for one. */
  const metricsIn = (metric: IMetric): number =>
    metric instanceof MathExpression
      ? Math.max(
          Object.values(metric.usingMetrics).reduce((sum, one) => sum + metricsIn(one), 0),
          1,
        )
      : 1;

  test('on the number of alarms, and their price', async () => {
    const watched = { stage: 'prod', tableName: 'the-table', apiId: 'the-api', hasDashboard: false };
    const alarms = alarmSpecs(watched);
    const metricsOf = (specs: readonly AlarmSpec[]): number =>
      specs
        .map(({ series }) => series(5))
        .map(metricsIn)
        .reduce((sum, some) => sum + some, 0);
    const metrics = metricsOf(alarms);
    const ofDashboard = metricsOf(dashboardAlarms({ ...watched, hasDashboard: true }));
    expect(await read('costs.md')).toContain(
      `its alarm over ${ofDashboard} metrics | ${(ofDashboard * ALARM_METRIC).toFixed(2)} |`,
    );
    const price = (metrics * ALARM_METRIC).toFixed(2);
    expect(await read('costs.md')).toContain(`${alarms.length} alarms over ${metrics} metrics | ${price} |`);
    expect(await read('first-deployment.md')).toContain(`${alarms.length} alarms`);
    expect(await read('first-deployment.md')).toContain(`$${price}`);
  });

  test('on what a stage costs that nobody calls, and what KMS, INIT and secrets add', async () => {
    const page = await read('costs.md');
    const providers = providerName.options.length;
    const [HOURS, FIVE_MINUTES, RUNS] = [720, 8_640, 86_400];
    const secrets = (providers + 1 + KEYS_VARIABLES.length) * 0.4 + (providers * HOURS * 0.05) / 10_000;
    expect(page).toContain(
      `| Secrets Manager: ${providers + 1 + KEYS_VARIABLES.length} secrets, each provider's read once an hour | ${secrets.toFixed(2)} |`,
    );
    const kms = (callers: number): number => (callers * FIVE_MINUTES * 0.03) / 10_000;
    expect(page).toContain(`requests to the table's key, at most | ${kms(2).toFixed(2)} |`);
    expect(page).toContain(`at most 8,640 requests a month: $${kms(1).toFixed(3)}`);
    expect(page).toContain(`$${((HOURS * 0.05) / 10_000).toFixed(4)} a month for a container`);
    // Two lines of together 500 bytes, and what CloudWatch adds to each.
    const lines = (RUNS * (500 + 2 * 26) * 0.5) / 1e9;
    expect(page).toContain(`Lambda's own two lines about each run | ${lines.toFixed(2)} |`);
    // A run of the dashboard's own sweep: a request with its two lines, and half a read unit for each shard.
    const { dueShards } = settingsOf('prod');
    const run = 0.2 / 1e6 + ((500 + 2 * 26) * 0.5) / 1e9 + (dueShards * 0.5 * 0.125) / 1e6;
    const notices = kms(1) + (RUNS / 2) * run;
    expect(page).toContain(
      `| \`send-notices\` every minute: KMS, Lambda, its own two lines, and ${dueShards} shards | ${notices.toFixed(2)} |`,
    );
    const init = (0.5 * 0.1 * 0.0000133334 * 1e6).toFixed(2);
    expect(page).toContain(`each 100 ms of it with 512 MB are $${init} for a million containers`);

    const section = page.split('## A stage that nobody calls\n')[1]?.split('\n\nOn top of that')[0] ?? '';
    const rows = [...section.matchAll(/^\| [^|*]+ \| ([\d.]+) \|$/gm)].map(([, dollars]) => Number(dollars));
    const inAll = rows.reduce((sum, dollars) => sum + dollars, 0).toFixed(2);
    expect(page).toContain(`| **in all** | **${inAll}** |`);
    expect(await read('first-deployment.md')).toContain(`costs about $${inAll} a month`);
  });

  test('on a million verifies with all that comes on top', async () => {
    const page = await read('costs.md');
    const [, bill = ''] = /^\| verify \|.*\*\*([\d.]+)\*\* \|$/m.exec(page) ?? [];
    const table = page.split('| a million of, for a verify |')[1]?.split('\n\n')[0] ?? '';
    const onTop = [...table.matchAll(/\| ([\d.]+) \|$/gm)].map(([, dollars]) => Number(dollars));
    expect(onTop).toHaveLength(4);
    const inAll = onTop.reduce((sum, dollars) => sum + dollars, Number(bill));
    expect(page).toContain(`So a million verifies are $${inAll.toFixed(2)} and not $${bill}.`);
  });

  test('on the most that a table can cost', async () => {
    const page = await read('costs.md');
    const DAY_SECONDS = 86_400;
    const parts = 1 + TABLE.indexes.length;
    const dollars = (units: number, perMillion: number): string =>
      ((parts * units * DAY_SECONDS * perMillion) / 1e6).toLocaleString('en', {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      });
    for (const units of [1_000, 4_000, 40_000]) {
      expect(page).toContain(`| ${units.toLocaleString('en')} | ${dollars(units, 0.625)} | ${dollars(units, 0.125)} |`);
    }
    expect(page).toContain('the table, and as much for each of its three indexes');
    expect(await read('scaling.md')).toContain(`8,000 are ${Math.floor(8_000 / 41)} payments a second`);
  });

  describe('on the cost of the steps of a payment', () => {
    let costs: string;
    beforeAll(async () => {
      costs = await read('costs.md');
    });
    type Units = ReturnType<typeof unitsOf>;
    /** A step's read and write units, which test/integration/operations/costs.test.ts counts. */
    const unitsOf = (step: string) => {
      const row = costs.split('\n').find((line) => line.startsWith(`| ${step} |`)) ?? '';
      const [reads = Number.NaN, writes = Number.NaN] = row.split('|').slice(-3, -1).map(Number);
      return { reads, writes };
    };
    const writesOf = (step: string): number => unitsOf(step).writes;

    test('in write units', async () => {
      const checkout = writesOf('Checkout initialized');
      const landing = writesOf('Money landed: notified, looked up, one endpoint');
      const delivery = writesOf('Delivered at the first attempt');
      const counted = writesOf('A report to the rate limit, of one to five requests');
      expect(await read('scaling.md')).toContain(
        `A live payment costs ${checkout + counted + landing + delivery} write units: its checkout (${checkout} and ${counted} for the rate limit), its landing (${landing}), its delivery (${delivery});`,
      );
    });

    /** The bill for a million events: units, SQS requests, and consumer runs of `milliseconds` with 512 MB. */
    const bill = (step: {
      writes: number;
      reads: number;
      sqs: number;
      runs: number;
      milliseconds: number;
    }): string[] => {
      const rows = [
        [step.writes, step.writes * 0.625],
        [step.reads, step.reads * 0.125],
        [step.sqs, step.sqs * 0.5],
        [step.runs, step.runs * (0.2 + 0.5 * step.milliseconds * 1_000 * 0.0000133334)],
      ] as const;
      const total = rows.reduce((sum, [, dollars]) => sum + dollars, 0);
      return [
        ...rows.map(([count, dollars]) => `| ${count} M | ${dollars.toFixed(2)} |\n`),
        `| | **${total.toFixed(2)}** |\n`,
      ];
    };
    /** The rows of a section's table, without their first column. */
    const table = (heading: string): string[] => {
      const section = costs.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
      return [...section.matchAll(/^\| [^|]* (\| (?:\d+ M|) ?\| [\d.*]+ \|\n)/gm)].map(([, figures = '']) => figures);
    };

    test('for a million events, healthy', () => {
      const [landing, delivery] = [unitsOf('Money landed, one endpoint'), unitsOf('Delivered at the first attempt')];
      const writes = landing.writes + delivery.writes;
      const reads = landing.reads + delivery.reads;
      expect(table('A million events, healthy')).toEqual(bill({ writes, reads, sqs: 3, runs: 1, milliseconds: 50 }));
    });

    test('for a three-day outage with a million parked', () => {
      const steps = ['Parked', 'Looked at by the safety net, once a day', 'Let go again'].map(unitsOf);
      const [parked, looked, free] = steps as [Units, Units, Units];
      // The bill of the healthy ones has a delivery that is never parked.
      const more = writesOf('and then delivered') - writesOf('Delivered at the first attempt');
      const writes = parked.writes + 3 * looked.writes + free.writes + more;
      // The one read unit of each drained delivery, which is read with others, is not in the step's row.
      const reads = parked.reads + 3 * looked.reads + 1;
      const figures = bill({ writes, reads, sqs: 12, runs: 4, milliseconds: 10 });
      expect(table('A three-day outage with a million parked')).toEqual(figures);
      const [byQueue, bySweep] = [
        writesOf('An attempt that failed'),
        writesOf('An attempt that failed, sent by a sweep'),
      ];
      // The first attempt, and the retries whose gap a queue's delay can hold.
      const queued = 1 + DEFAULT_SCHEDULE.gaps.filter((gap) => gap <= LONGEST_QUEUE_DELAY).length;
      const failed = queued * byQueue + (77 - queued) * bySweep;
      expect(costs).toContain(
        `77 failed attempts with a POST each, five of\n${byQueue} write units and ${77 - queued} that a sweep sends of ${bySweep}, ${failed} million write units, $${failed * 0.625}, and`,
      );
    });
  });
});
