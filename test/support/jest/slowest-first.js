import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Seconds that files took in the long run, for those whose size does not tell: a run that ends with one of them keeps one core alone. Only the
 * order matters, so that no figure need be kept exact.
 */
const SECONDS = {
  'long/money-chaos': 140,
  'long/dashboard': 130,
  'long/schemathesis': 115,
  'long/payer-page': 110,
  'long/docs-page': 90,
  'integration/payments/refunds': 85,
  'long/hostile-requests': 75,
  'long/clients-go': 70,
  'long/local-strangers': 70,
  'long/permissions': 70,
  'long/refusing-endpoints': 64,
  'long/webhook-chaos': 60,
  'long/merchant-chaos': 60,
  'long/fourth-provider': 60,
  'long/retries-for-three-days': 60,
  'integration/requests/killed-live-requests': 55,
  'integration/requests/raced-live-repeats': 55,
  'long/clients-python': 55,
  'long/shop-faults': 54,
  'contract/openapi': 50,
  'long/sizes': 50,
  'long/local-stack-crashes': 48,
  'long/local-stack': 46,
  'long/clients-java': 41,
  'integration/payments/reconciliation': 40,
  'long/parked-events': 35,
  'integration/requests/killed-requests': 30,
  'integration/requests/raced-repeats': 30,
};
const NAMED = new Map(Object.entries(SECONDS).map(([name, seconds]) => [resolve(`test/${name}.test.ts`), seconds]));
// A file that was moved would come last without a word.
for (const path of NAMED.keys()) statSync(path);

/** Orders the files of the long run, the slowest first: a fresh clone has no times of its own for Jest's sequencer. The others follow by size. */
export default class SlowestFirst {
  sort(tests) {
    const weighed = tests.map((test) => [test, NAMED.get(test.path) ?? 0, statSync(test.path).size]);
    return weighed.toSorted(([, a, x], [, b, y]) => b - a || y - x).map(([test]) => test);
  }

  cacheResults() {}
}
