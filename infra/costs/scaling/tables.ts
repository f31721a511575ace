import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { type Tables, table } from '#infra/costs/page.ts';
import { DUE_WRITES, LIVE_STEPS, MESSAGE_REQUESTS, STEPS } from '#infra/costs/steps.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { listAssumptions } from './assumptions.ts';
import { countWrites, listRequests } from './at-providers.ts';
import { makeConcurrencyRow, RESERVED_FOR } from './concurrency.ts';
import { type PaymentLimit, sortLimits } from './ends-first.ts';
import { sumFigure } from './load.ts';
import { computeDemand, makeSettings } from './needed.ts';
import { computePayments, listExecutions, listNeeds } from './needed-rows.ts';
import { formatNumber } from './numbers.ts';
import { listOtherLimits } from './other-limits.ts';
import { listPartitions } from './partitions.ts';
import { describeDrain, describeGrowth, describeHanging, describeInFlight } from './queues.ts';
import { PAYSTACK, QUOTAS, SPLITTING } from './quotas.ts';
import { describeReconciliation } from './reconciliation.ts';

/* The tables of scaling.md, for the settings of prod. */

/** Even at this multiple of Paystack's published limits, the service must need no change except of its settings. */
export const TIMES_PUBLISHED = 10;
/** Payments per second for which the needed quotas are listed. */
export const GOAL = 1_000;

const describeFirstSign = ({ sign }: PaymentLimit): string =>
  'alarm' in sign ? `[\`${sign.alarm}\`](runbook.md#${sign.alarm})` : sign.text;

const describePayment = (): string => {
  const [opened, landed, delivered] = [
    LIVE_STEPS['Checkout initialized'][3],
    LIVE_STEPS['Money landed: notified, looked up, one endpoint'][3],
    STEPS['Delivered at the first attempt'][2],
  ];
  const rateLimitWrites = STEPS['Count for the rate limit, of one to five requests'][2];
  const messages = sumFigure('tickets', 0) + sumFigure('deliveries', 0);
  return [
    `A live payment costs ${opened + landed + delivered + rateLimitWrites} write units: ${opened} for its checkout, ${rateLimitWrites} for the rate limit, ${landed} for its landing and ${delivered} for its delivery. A verify adds ${rateLimitWrites}.`,
    `With one verify, ${sumFigure('table', 0)} of them are for the table, and ${sumFigure('gsi1', 0)}, ${sumFigure('gsi2', 0)} and ${sumFigure('gsi3', 0)} for its indexes. The table and each index have separate throughputs.`,
    `A payment makes ${messages * MESSAGE_REQUESTS} requests to SQS: its ticket and its delivery are each sent, received and deleted.`,
  ].join('\n');
};

const tabulateLimits = (settings: StageSettings): string => {
  const all = sortLimits({ settings, timesPublished: 1 });
  const rows = all.filter(({ payments }) => payments < GOAL);
  const later = all.filter(({ payments }) => payments >= GOAL);
  return [
    table(
      ['limit of', 'value', 'payments a second', 'if all checkouts are paid', 'first sign', 'raise it by'],
      rows.map((limit) => [
        limit.label,
        `${formatNumber(limit.capacity)} ${limit.unit}`,
        `**${formatNumber(limit.payments)}**`,
        formatNumber(limit.allPaid),
        describeFirstSign(limit),
        limit.raise,
      ]),
    ),
    '',
    `These limits are reached only from ${formatNumber(GOAL)} payments a second on: ${later.map(({ label, payments, raise }) => `${label} (${formatNumber(payments)}; ${raise})`).join(', ')}.`,
  ].join('\n');
};

/**
 * Lists the limits of ours and of AWS that payments at Paystack can reach, the lowest first. It leaves out limits of a single business, and
 * limits whose excess only makes work late.
 */
export const listOurLimits = (settings: StageSettings): readonly PaymentLimit[] =>
  sortLimits({ settings, timesPublished: TIMES_PUBLISHED }).filter(
    ({ onlyFor, label, isSoft }) =>
      !isSoft && (onlyFor === undefined || onlyFor === 'paystack') && !label.startsWith('Paystack: '),
  );

const describeTenTimes = (prod: StageSettings): string => {
  const payments = computePayments(prod, TIMES_PUBLISHED);
  const lowerLimits = listOurLimits(prod).filter((limit) => limit.payments < payments);
  return [
    `Ten times Paystack’s published limits allow ${formatNumber(payments)} payments a second. With prod’s present settings, ${lowerLimits.length} of our limits are lower:`,
    '',
    ...lowerLimits.map((limit) => `- ${limit.label}: ${formatNumber(limit.payments)}. Raise it by ${limit.raise}.`),
    '',
    'The settings in the table below are enough. A test checks this.',
  ].join('\n');
};

const describeShards = ({ dueShards }: StageSettings): string => {
  const writes = QUOTAS.partitionWrites.limit;
  const perSecond = (shards: number, use: 'dueMoney' | 'dueDeliveries'): string =>
    formatNumber((shards * writes) / sumFigure(use, 0));
  return [
    table(['', 'index writes'], Object.entries(DUE_WRITES)),
    '',
    `Each shard takes ${perSecond(1, 'dueDeliveries')} deliveries and ${perSecond(1, 'dueMoney')} paid live checkouts a second. With prod’s ${dueShards} shards, that is ${perSecond(dueShards, 'dueDeliveries')} and ${perSecond(dueShards, 'dueMoney')}.`,
  ].join('\n');
};

const describeLists = (): string =>
  [
    `The lists of a business are not sharded. In each mode they take ${formatNumber(QUOTAS.partitionWrites.limit)} checkouts a second, and as many events. At ${formatNumber(GOAL)} payments a second, with their unpaid checkouts, they get ${formatNumber(computeDemand(GOAL, 'listed'))} of each.`,
    `DynamoDB splits a hot partition between its sort keys ([adaptive capacity](${SPLITTING.adaptive})), but [not if the sort keys rise with time](${SPLITTING.rising}), as those of lists do.`,
    'To go beyond this limit, use a second business, which has its own lists.',
  ].join(' ');

const describeLaunch = (settings: StageSettings): string => {
  const writes = 2 * QUOTAS.newWrites.limit;
  const [first] = sortLimits({
    settings: { ...settings, warmThroughput: { reads: QUOTAS.newReads.limit, writes } },
    timesPublished: 1,
  }).filter(({ label }) => label.endsWith(', just created'));
  return `\`warmThroughput: { reads: ${QUOTAS.newReads.limit}, writes: ${writes} }\` allows ${formatNumber(first?.payments ?? 0)} payments a second with their unpaid checkouts, or ${formatNumber(first?.allPaid ?? 0)} if all checkouts are paid.`;
};

const tabulateStages = (): string => {
  const [staging, prod] = [readStageSettings('staging'), readStageSettings('prod')];
  return table(
    [
      'stage',
      ...RESERVED_FOR.map((group) => `for ${group}`),
      'needed quota, at least',
      'with the dashboard',
      'left of 1,000',
    ],
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
    `API Gateway takes ${formatNumber(QUOTAS.gatewayRequests.limit)} requests a second in an account and region, but only **${formatNumber(QUOTAS.gatewayRequestsNewer.limit)} in Cape Town, Milan, the UAE, Tel Aviv and other newer regions**. There, set a lower \`throttle\` or ask for a higher quota (\`--service-code ${QUOTAS.gatewayRequests.service} --quota-code ${QUOTAS.gatewayRequests.code}\`).`,
  ].join('\n');
};

const listSources = (): string =>
  [...new Set(Object.values(QUOTAS).map(({ source }) => source)), ...Object.values(SPLITTING)]
    .map((source) => `- <${source}>`)
    .join('\n');

/** Makes all tables of scaling.md. Each key is the name in the marks around its table. */
export const scalingTables = (): Tables => {
  const prod = readStageSettings('prod');
  const rates = [computePayments(prod, 1), computePayments(prod, TIMES_PUBLISHED), GOAL];
  const [published, ten, goal] = rates.map((payments) => `at ${formatNumber(payments)} payments a second`);
  return {
    'a payment': describePayment(),
    assumptions: table(['assumed', 'value'], listAssumptions()),
    'what ends first': tabulateLimits(prod),
    'beside the money path': table(['limit of', 'value', 'first sign', 'raise it by'], listOtherLimits(prod)),
    'ten times': describeTenTimes(prod),
    'more payments': table(
      ['', 'now', `${ten} (${TIMES_PUBLISHED} times Paystack’s limits)`, goal ?? ''],
      listNeeds(prod, rates.slice(1)),
    ),
    executions: table(['executions at once', published ?? '', ten ?? '', goal ?? ''], listExecutions(rates)),
    launch: describeLaunch(prod),
    'due-work index': describeShards(prod),
    partitions: table(['partition', 'load', 'takes at most', 'beyond that'], listPartitions(prod)),
    lists: describeLists(),
    reconciliation: describeReconciliation(),
    queues: [describeGrowth(), describeHanging(prod), describeDrain(), describeInFlight()].join('\n'),
    stages: tabulateStages(),
    'more executions': describeRequests(prod),
    'at a provider': table(['most requests at once', 'from its queue', 'from merchants', 'in all'], listRequests(prod)),
    'writes at a provider': table(
      ['', 'servers', 'browsers', 'closings', 'in a minute'],
      PROVIDERS.map((provider) => {
        const { servers, browsers, closings, inAMinute } = countWrites(provider, prod.providerQuota);
        return [provider, servers, browsers, closings, inAMinute];
      }),
    ),
    accounts: `For other calls, Paystack allows ${formatNumber(PAYSTACK.general * 60)} a minute. A virtual account needs ${LIVE_STEPS['Virtual account created'][0]} of them, so ${formatNumber((PAYSTACK.general * 60) / LIVE_STEPS['Virtual account created'][0])} accounts a minute are possible. Monnify and Korapay publish no limit.`,
    sources: listSources(),
  };
};
