import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { type Tables, table } from '#infra/costs/page.ts';
import { DUE_WRITES, LIVE_STEPS, MESSAGE_REQUESTS, STEPS } from '#infra/costs/steps.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { listAssumptions } from './assumptions.ts';
import { countWrites, listRequests } from './at-providers.ts';
import { listOtherLimits } from './beside.ts';
import { makeConcurrencyRow, RESERVED_FOR } from './concurrency.ts';
import { type End, sortEnds } from './ends-first.ts';
import { sumUse } from './load.ts';
import { computeDemand, makeSettings } from './needed.ts';
import { computePayments, listExecutions, listNeeds } from './needed-rows.ts';
import { formatNumber } from './numbers.ts';
import { listPartitions } from './partitions.ts';
import { describeDrain, describeGrowth, describeHanging, describeInFlight } from './queues.ts';
import { PAYSTACK, QUOTAS, SPLITTING } from './quotas.ts';
import { describeReconciliation } from './reconciliation.ts';

/* The tables of scaling.md, at prod's settings. */

/** The multiple of Paystack's published limits that the service is to bear by settings. */
export const TIMES_PUBLISHED = 10;
/** The payments a second whose quotas are named. */
export const GOAL = 1_000;

const showSign = ({ sign }: End): string =>
  'alarm' in sign ? `[\`${sign.alarm}\`](runbook.md#${sign.alarm})` : sign.text;

const describePayment = (): string => {
  const [opened, landed, delivered] = [
    LIVE_STEPS['Checkout initialized'][3],
    LIVE_STEPS['Money landed: notified, looked up, one endpoint'][3],
    STEPS['Delivered at the first attempt'][2],
  ];
  const counted = STEPS['A report to the rate limit, of one to five requests'][2];
  const messages = sumUse('tickets', 0) + sumUse('deliveries', 0);
  return [
    `A live payment costs ${opened + landed + delivered + counted} write units: its checkout (${opened}, and ${counted} for the rate limit), its landing (${landed}), its delivery (${delivered}); a verify adds ${counted}.`,
    `With one verify the table takes ${sumUse('table', 0)}, and the indexes ${sumUse('gsi1', 0)}, ${sumUse('gsi2', 0)} and ${sumUse('gsi3', 0)}: each of them has a throughput of its own.`,
    `It makes ${messages * MESSAGE_REQUESTS} requests to SQS: its ticket and its delivery are sent, received and deleted.`,
  ].join('\n');
};

const tabulateEnds = (settings: StageSettings): string => {
  const all = sortEnds({ settings, timesPublished: 1 });
  const rows = all.filter(({ payments }) => payments < GOAL);
  const later = all.filter(({ payments }) => payments >= GOAL);
  return [
    table(
      ['what', 'limit', 'payments a second', 'if all are paid', 'first sign', 'raise'],
      rows.map((end) => [
        end.what,
        `${formatNumber(end.capacity)} ${end.unit}`,
        `**${formatNumber(end.payments)}**`,
        formatNumber(end.allPaid),
        showSign(end),
        end.raise,
      ]),
    ),
    '',
    `From ${formatNumber(GOAL)} payments a second on: ${later.map(({ what, payments, raise }) => `${what} (${formatNumber(payments)}; ${raise})`).join(', ')}.`,
  ].join('\n');
};

/** The limits of ours and of AWS that payments of several businesses at Paystack meet. */
export const listOurs = (settings: StageSettings): readonly End[] =>
  sortEnds({ settings, timesPublished: TIMES_PUBLISHED }).filter(
    ({ only, what, isSoft }) =>
      !isSoft && (only === undefined || only === 'paystack') && !what.startsWith('Paystack: '),
  );

const describeTenTimes = (prod: StageSettings): string => {
  const payments = computePayments(prod, TIMES_PUBLISHED);
  const short = listOurs(prod).filter((end) => end.payments < payments);
  return [
    `At ${TIMES_PUBLISHED} times the limits that Paystack publishes its openings end at ${formatNumber(payments)} payments a second. At prod’s settings of today ${short.length} limits of ours end before:`,
    '',
    ...short.map((end) => `- ${end.what}: ${formatNumber(end.payments)}. Raise: ${end.raise}.`),
    '',
    'With the settings of the table below all of these bear it; a test computes it.',
  ].join('\n');
};

const describeShards = ({ dueShards }: StageSettings): string => {
  const writes = QUOTAS.partitionWrites.limit;
  const perSecond = (shards: number, use: 'dueMoney' | 'dueDeliveries'): string =>
    formatNumber((shards * writes) / sumUse(use, 0));
  return [
    table(['', 'index writes'], Object.entries(DUE_WRITES)),
    '',
    `Each shard takes ${perSecond(1, 'dueDeliveries')} deliveries, and ${perSecond(1, 'dueMoney')} paid live checkouts a second: ${perSecond(dueShards, 'dueDeliveries')} and ${perSecond(dueShards, 'dueMoney')} with prod’s ${dueShards}.`,
  ].join('\n');
};

const describeLists = (): string =>
  [
    `A business’s lists are not sharded. They take ${formatNumber(QUOTAS.partitionWrites.limit)} checkouts and as many events a second and mode; ${formatNumber(GOAL)} payments a second with their unpaid checkouts are ${formatNumber(computeDemand(GOAL, 'listed'))}.`,
    `DynamoDB splits a partition that stays hot between its sort keys ([adaptive capacity](${SPLITTING.adaptive})), but [not where they rise with time](${SPLITTING.rising}), as those of lists do.`,
    'The way beyond is a second business: each has lists of its own.',
  ].join(' ');

const describeLaunch = (settings: StageSettings): string => {
  const writes = 2 * QUOTAS.newWrites.limit;
  const [first] = sortEnds({
    settings: { ...settings, warmThroughput: { reads: QUOTAS.newReads.limit, writes } },
    timesPublished: 1,
  }).filter(({ what }) => what.endsWith(', new'));
  return `\`warmThroughput: { reads: ${QUOTAS.newReads.limit}, writes: ${writes} }\` bears ${formatNumber(first?.payments ?? 0)} payments a second with their unpaid checkouts, or ${formatNumber(first?.allPaid ?? 0)} if all are paid.`;
};

const tabulateStages = (): string => {
  const [staging, prod] = [readStageSettings('staging'), readStageSettings('prod')];
  return table(
    ['stage', ...RESERVED_FOR.map((group) => `for ${group}`), 'quota, at least', 'with the dashboard', 'left of 1,000'],
    [
      makeConcurrencyRow('dev', [readStageSettings('dev')]),
      makeConcurrencyRow('staging', [staging]),
      makeConcurrencyRow('prod', [prod]),
      makeConcurrencyRow('staging and prod in one account', [staging, prod]),
    ],
  );
};

const describeRequests = (prod: StageSettings): string => {
  const { service, code } = QUOTAS.executions;
  const quota = makeSettings(prod, GOAL).concurrency.quota;
  return [
    `For ${formatNumber(GOAL)} payments a second:`,
    '',
    '```sh',
    `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${quota}`,
    '```',
    '',
    `API Gateway takes ${formatNumber(QUOTAS.gatewayRequests.limit)} requests a second of an account and region, but **${formatNumber(QUOTAS.gatewayRequestsNewer.limit)} in Cape Town, Milan, the UAE, Tel Aviv and other newer regions**: there, set \`throttle\` lower or ask for more (\`--service-code ${QUOTAS.gatewayRequests.service} --quota-code ${QUOTAS.gatewayRequests.code}\`).`,
  ].join('\n');
};

const listSources = (): string =>
  [...new Set(Object.values(QUOTAS).map(({ source }) => source)), ...Object.values(SPLITTING)]
    .map((source) => `- <${source}>`)
    .join('\n');

/** Makes every table, by the name of its marks in scaling.md. */
export const scalingTables = (): Tables => {
  const prod = readStageSettings('prod');
  const rates = [computePayments(prod, 1), computePayments(prod, TIMES_PUBLISHED), GOAL];
  const [published, ten, goal] = rates.map((payments) => `at ${formatNumber(payments)} payments a second`);
  return {
    'a payment': describePayment(),
    assumptions: table(['assumed', 'value'], listAssumptions()),
    'what ends first': tabulateEnds(prod),
    'beside the money path': table(['what', 'limit', 'first sign', 'raise'], listOtherLimits(prod)),
    'ten times': describeTenTimes(prod),
    'more payments': table(
      ['', 'now', `${ten}: ${TIMES_PUBLISHED} times what Paystack publishes`, goal ?? ''],
      listNeeds(prod, rates.slice(1)),
    ),
    executions: table(['executions at once', published ?? '', ten ?? '', goal ?? ''], listExecutions(rates)),
    launch: describeLaunch(prod),
    'due-work index': describeShards(prod),
    partitions: table(['partition', 'load', 'takes at most', 'then'], listPartitions(prod)),
    lists: describeLists(),
    reconciliation: describeReconciliation(),
    queues: [describeGrowth(), describeHanging(prod), describeDrain(), describeInFlight()].join('\n'),
    stages: tabulateStages(),
    'more executions': describeRequests(prod),
    'at a provider': table(['requests at once, at most', 'its queue', 'merchants', 'in all'], listRequests(prod)),
    'writes at a provider': table(
      ['', 'servers', 'browsers', 'closings', 'in a minute'],
      PROVIDERS.map((provider) => {
        const { servers, browsers, closings, inAMinute } = countWrites(provider, prod.providerQuota);
        return [provider, servers, browsers, closings, inAMinute];
      }),
    ),
    accounts: `Paystack takes ${formatNumber(PAYSTACK.general * 60)} calls a minute beside these, and a virtual account takes ${LIVE_STEPS['Virtual account created'][0]}: ${formatNumber((PAYSTACK.general * 60) / LIVE_STEPS['Virtual account created'][0])} accounts a minute. Monnify and Korapay publish no limit.`,
    sources: listSources(),
  };
};
