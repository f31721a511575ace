import { percentile } from '#test/bench/statistics.ts';
import { type Attempt, ms } from './attempt.ts';
import { flood, formatStatusCounts } from './requests.ts';
import { startTarget, type Target, type TargetOptions } from './target.ts';

/** Turns rate limits off: the attack measures the cost of one request, not the rate of a key. */
const RATE_LIMITS = JSON.stringify({ live: 0, test: 0, publicAddress: 0 });
const PAYMENTS = 600;
const SEARCHES = 300;
const SIMULATIONS = 200;

/** Runs work, and measures how long a neighbour's live verify takes meanwhile. */
const measureNeighbour = async (target: Target, work: () => Promise<string>): Promise<string> => {
  const { ask, neighbour } = target;
  const key = neighbour.key('secret', 'live');
  const times: number[] = [];
  let isOver = false;
  const verifying = (async () => {
    while (!isOver) times.push((await ask({ path: '/api/v1/checkout/verify/PAY-00000000000000000000', key })).ms);
  })();
  const result = await work();
  isOver = true;
  await verifying;
  return `${result}; the neighbour’s verify meanwhile: p95 ${ms(percentile(times, 95))}`;
};

/** Attacks as a merchant: reads as much as one key can make the service read, then sends many requests for one checkout at once. */
export const attackThroughLists = async (options: TargetOptions): Promise<Attempt[]> => {
  const target = await startTarget({ ...options, env: { RATE_LIMITS } });
  const { ask, attacker } = target;
  const key = attacker.key('secret', 'test');
  try {
    const body = { amount: 1_000_000, payer_email: 'mallory.bello@example.com' };
    const opened = await ask({ method: 'POST', path: '/api/v1/virtual-accounts', key, body: MALLORY });
    const account = opened.json.accounts[0].id;
    const transfer = { method: 'POST', path: `/api/v1/virtual-accounts/${account}/sandbox/simulate`, key };
    await flood(PAYMENTS, () => ask({ ...transfer, body: { amount: 1 } }));
    target.takeCosts();
    const searchHarm = await measureNeighbour(target, async () => {
      const answers = await flood(SEARCHES, () => ask({ path: '/api/v1/payments?sender=nobody', key }));
      return formatStatusCounts(answers);
    });
    const { reads } = target.takeCosts();
    const { reference } = (await ask({ method: 'POST', path: '/api/v1/checkout/initialize', key, body })).json.data;
    const simulation = {
      method: 'POST',
      path: '/api/v1/checkout/sandbox/simulate',
      key,
      body: { reference, amount: 1 },
    };
    const simulationHarm = await measureNeighbour(target, async () => {
      const answers = await flood(SIMULATIONS, () => ask(simulation));
      return `${formatStatusCounts(answers)}, the slowest ${ms(Math.max(...answers.map((answer) => answer.ms)))}`;
    });
    return [
      {
        door: 'one merchant and others',
        attempt: `${SEARCHES} searches of ${PAYMENTS} payments by sender with one test key, 32 at once`,
        cost: `${SEARCHES} requests`,
        harm: `${searchHarm}; ${reads} calls that read the table`,
      },
      {
        door: 'one merchant and others',
        attempt: `${SIMULATIONS} simulations of one checkout with one test key, 32 at once`,
        cost: `${SIMULATIONS} requests`,
        harm: simulationHarm,
      },
    ];
  } finally {
    await target.stop();
  }
};

const MALLORY = {
  customer_name: 'Mallory Bello',
  customer_phone: '+2348031234567',
  customer_email: 'mallory.bello@example.com',
  provider: 'paystack',
};
