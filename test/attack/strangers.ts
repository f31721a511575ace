import { createHmac, randomBytes } from 'node:crypto';
import { newApiKey } from '#shared/businesses/domain/api-key.ts';
import { percentile } from '#test/bench/statistics.ts';
import { type Attempt, ms } from './attempt.ts';
import { type Answer, flood, formatStatusCounts } from './requests.ts';
import { startTarget, type Target, type TargetOptions } from './target.ts';

const RATE_LIMITS = JSON.stringify({ live: 0, test: 5, publicAddress: 0 });
const REQUESTS = 100;
const NOTIFICATIONS = '/providers/korapay/notifications';
/** Characters of a notification that is too large. An older API passed such a notification on, and the functions parsed it. */
const TOO_LARGE = 250_000;
/** Characters: as many as a notification may have, so that only the signature check rejects it. */
const LARGE = 60_000;

const summarise = (answers: readonly Answer[]): string =>
  `${formatStatusCounts(answers)}; p50 ${ms(
    percentile(
      answers.map((answer) => answer.ms),
      50,
    ),
  )}`;

/** Sends requests, and counts the table calls that they cause. */
const measure = async (target: Target, door: string, attempt: string, sendOne: (i: number) => Promise<Answer>) => {
  target.takeCosts();
  const answers = await flood(REQUESTS, sendOne);
  const { reads, writes } = target.takeCosts();
  const harm = `${reads} reads and ${writes} writes of the table`;
  return { door, attempt: `${REQUESTS} ${attempt}`, cost: summarise(answers), harm };
};

const tryUnknownKeys = (target: Target): Promise<Attempt> =>
  measure(target, '5 strangers', 'well-formed keys that were never issued', () =>
    target.ask({
      path: '/api/v1/checkouts',
      key: newApiKey('secret', 'live', (size) => randomBytes(size)),
    }),
  );

/** Sends the requests in turn, as a container of Lambda handles them. */
const repeatUnknownKey = async (target: Target): Promise<Attempt> => {
  const key = newApiKey('public', 'live', (size) => randomBytes(size));
  let last: Promise<unknown> = Promise.resolve();
  return measure(target, '6 an alarm that stays red', 'requests with one well-formed key, in turn', () => {
    const answer = last.then(() => target.ask({ path: '/api/v1/checkouts', key }));
    last = answer;
    return answer;
  });
};

const requestHealth = (target: Target): Promise<Attempt> =>
  measure(target, '5 strangers', 'requests of /health', () => target.ask({ path: '/health' }));

/** Sends requests while the table never answers the count of a rate limit. */
const holdRateCount = async (target: Target): Promise<Attempt> => {
  const counts = (input: object): boolean => JSON.stringify(input).includes('"RATE#');
  target.inject((operation, input) => (operation === 'UpdateItem' && counts(input) ? 'hang' : undefined));
  const key = target.attacker.key('secret', 'test');
  const answers = await flood(REQUESTS, () => target.ask({ path: '/api/v1/checkouts', key }));
  target.inject(() => undefined);
  return {
    door: '4 rate limit',
    attempt: `${REQUESTS} requests with a limit of 5 a second, while the table answers no count`,
    cost: summarise(answers),
    harm: `passed: ${answers.filter(({ status }) => status === 200).length}`,
  };
};

const sendUnsigned = (size: number) => (target: Target) => {
  const body = JSON.stringify({ event: 'charge.success', data: { reference: 'a'.repeat(size) } });
  const headers = { 'x-korapay-signature': '0'.repeat(64) };
  return measure(target, '6 notifications', `unsigned notifications of ${size / 1_000} KB`, () =>
    target.ask({ method: 'POST', path: NOTIFICATIONS, body, headers }),
  );
};

/** Sends copies of a notification. Korapay signs only `data` (providers.md section 3.5), so whoever has read a notification may vary the rest of it. */
const sendVariedCopies = (target: Target): Promise<Attempt> => {
  const data = { reference: 'KPY-PAY-2026-0117', currency: 'NGN', amount: 8500, status: 'success' };
  const signature = createHmac('sha256', target.korapaySecret).update(JSON.stringify(data)).digest('hex');
  const headers = { 'x-korapay-signature': signature };
  return measure(target, '6 notifications', 'copies of one signed notification, varied where it is not signed', (i) =>
    target.ask({ method: 'POST', path: NOTIFICATIONS, body: { event: 'charge.success', data, copy: i }, headers }),
  );
};

/** Attacks as strangers without a valid key, and as a business whose requests cannot be counted. */
export const attackAsStranger = async (options: TargetOptions): Promise<Attempt[]> => {
  const target = await startTarget({ ...options, env: { RATE_LIMITS } });
  try {
    const attempts: Attempt[] = [];
    for (const attack of [
      holdRateCount,
      tryUnknownKeys,
      repeatUnknownKey,
      requestHealth,
      sendUnsigned(LARGE),
      sendUnsigned(TOO_LARGE),
      sendVariedCopies,
    ]) {
      attempts.push(await attack(target));
    }
    return attempts;
  } finally {
    await target.stop();
  }
};
