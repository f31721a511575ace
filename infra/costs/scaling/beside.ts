import { SLOW_FUNCTIONS } from '#infra/constructs/reserved-concurrency.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { assume } from './assumptions.ts';
import { WEBHOOK_BATCH } from './limits.ts';
import { formatNumber } from './numbers.ts';

/** Seconds at the end of a run in which `send-notices` begins no mail (functions/send-notices). */
const NOTICES_MARGIN = 25;
const MINUTE = 60;

const countMails = (): number => {
  const spec = DASHBOARD_FUNCTIONS.find(({ name }) => name === 'send-notices');
  return ((spec?.timeoutSeconds ?? MINUTE) - NOTICES_MARGIN) / assume('mail');
};

/** Lists the limits of work that takes no money, their first signs, and what raises them. */
export const listOtherLimits = ({ throttle, concurrency }: StageSettings): readonly (readonly string[])[] => [
  [
    'each route of management',
    `${formatNumber(throttle.management.rate)} a second, ${throttle.management.burst} at once`,
    '429 without a body of ours',
    '`throttle.management`',
  ],
  [
    'each route of the dashboard, of all its users together',
    `${formatNumber(throttle.dashboard.rate)} a second, ${throttle.dashboard.burst} at once`,
    'the same, in the dashboard',
    '`throttle.dashboard`',
  ],
  [
    `each of the ${SLOW_FUNCTIONS.length} functions whose request can last seconds`,
    `${concurrency.ceiling} at once: ${formatNumber(concurrency.ceiling / assume('request'))} a second of ${formatNumber(assume('request') * 1_000)} ms`,
    '429, or 503 and [`lambda-throttles`](runbook.md#lambda-throttles)',
    '`concurrency.ceiling`',
  ],
  [
    'webhooks of test mode, in full batches; live mode does not notice',
    `${formatNumber((concurrency.lanes.test * WEBHOOK_BATCH) / assume('webhook'))} a second`,
    'the queue `test` grows on the dashboard',
    '`concurrency.lanes.test`',
  ],
  [
    'mails that are no codes, one after the other; codes have a queue of their own',
    `${formatNumber(countMails())} a minute, and no more than SES allows`,
    '[`notices-late`](runbook.md#notices-late)',
    'nothing: the rest is mailed in the next minutes; ask SES for its rate',
  ],
];
