import { statSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Seconds that some files take in the long run, by name. Their size does not tell, and a run that ends with one of them uses only one core.
 * Only the order matters, so the figures need not be exact.
 */
const SECONDS = {
  schemathesis: 240,
  dashboard: 135,
  'payer-page': 130,
  'money-chaos': 125,
  'webhook-chaos': 98,
  'docs-page': 95,
  reconciliation: 75,
  permissions: 70,
  'payer-other-account': 70,
  'hostile-requests': 63,
  'raced-live-repeats': 60,
  'payer-views': 61,
  sizes: 59,
  'parked-events': 56,
  'local-strangers': 55,
  'fourth-provider': 54,
  'clients-python': 54,
  'shop-faults': 52,
  'local-stack-crashes': 50,
  'provider-outage': 50,
  'dashboard-actions': 47,
  'strange-parts': 46,
  openapi: 46,
  'clients-java': 43,
  'merchant-chaos': 43,
  crashes: 42,
  'killed-requests': 41,
  'local-stack': 41,
  refunds: 40,
  'dashboard-lists': 40,
  'clients-go': 36,
  'reinstated-transfers': 35,
  'live-outcomes': 33,
  'killed-live-requests': 32,
  'returned-transfers': 32,
  'refusing-endpoints': 32,
  'dashboard-access': 32,
  recover: 31,
  totals: 30,
  'reconciled-pages': 30,
  'retries-for-three-days': 30,
  widget: 29,
  notifications: 28,
  'health-notices': 28,
  sweeper: 27,
  'raced-repeats': 26,
  breaker: 26,
  'refused-requests': 25,
  'local-development': 24,
  nag: 24,
  'falling-totals': 22,
  overload: 20,
  postman: 20,
  'killed-routings': 20,
};

/** Orders the files of the long run, the slowest first. A fresh clone has no times for Jest's sequencer. Other files follow by size. */
export default class SlowestFirst {
  sort(tests) {
    const weighed = tests.map((test) => [
      test,
      SECONDS[basename(test.path, '.test.ts')] ?? 0,
      statSync(test.path).size,
    ]);
    return weighed.toSorted(([, a, x], [, b, y]) => b - a || y - x).map(([test]) => test);
  }

  cacheResults() {}
}
