import { SLOW_FUNCTIONS } from '#infra/constructs/reserved-concurrency.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { assume } from './assumptions.ts';
import { WEBHOOK_BATCH } from './limits.ts';
import { formatNumber } from './numbers.ts';

/** Seconds at the end of a run in which `send-notices` starts no mail (functions/send-notices). */
const NOTICES_MARGIN = 25;
const MINUTE = 60;

const countMails = (): number => {
  const spec = DASHBOARD_FUNCTIONS.find(({ name }) => name === 'send-notices');
  return ((spec?.timeoutSeconds ?? MINUTE) - NOTICES_MARGIN) / assume('mail');
};

/** Lists the limits of work that takes no money, their first signs, and the settings that raise them. */
export const listOtherLimits = ({ throttle, concurrency }: StageSettings): readonly (readonly string[])[] => [
  [
    'each management route',
    `${formatNumber(throttle.management.rate)} a second, ${throttle.management.burst} at once`,
    '429 from API Gateway, without our body',
    '`throttle.management`',
  ],
  [
    'each dashboard route, for all users together',
    `${formatNumber(throttle.dashboard.rate)} a second, ${throttle.dashboard.burst} at once`,
    'the same, in the dashboard',
    '`throttle.dashboard`',
  ],
  [
    `each of the ${SLOW_FUNCTIONS.length} functions whose requests can last seconds`,
    `${concurrency.ceiling} at once: ${formatNumber(concurrency.ceiling / assume('request'))} a second, if each takes ${formatNumber(assume('request') * 1_000)} ms`,
    '429, or 503 and [`lambda-throttles`](runbook.md#lambda-throttles)',
    '`concurrency.ceiling`',
  ],
  [
    'test webhooks, in full batches; live mode is not affected',
    `${formatNumber((concurrency.lanes.test * WEBHOOK_BATCH) / assume('webhook'))} a second`,
    'the queue `test` grows on the dashboard',
    '`concurrency.lanes.test`',
  ],
  [
    'notices by mail, one after the other (codes have their own queue)',
    `${formatNumber(countMails())} a minute, and at most what SES allows`,
    '[`notices-late`](runbook.md#notices-late)',
    'nothing: the rest is sent in the next minutes; ask SES for a higher rate',
  ],
];
