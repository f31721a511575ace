import { statSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Seconds that files took in the long run, by their names alone, for those whose size does not tell: a run that ends with one of them keeps one
 * core alone. Only the order matters, so that no figure need be kept exact.
 */
const SECONDS = {
  'money-chaos': 140,
  dashboard: 130,
  schemathesis: 115,
  'payer-page': 110,
  'docs-page': 90,
  refunds: 85,
  'provider-outage': 80,
  'hostile-requests': 75,
  'clients-go': 70,
  'local-strangers': 70,
  permissions: 70,
  'refusing-endpoints': 64,
  'webhook-chaos': 60,
  'merchant-chaos': 60,
  'fourth-provider': 60,
  'retries-for-three-days': 60,
  'killed-live-requests': 35,
  'raced-live-repeats': 55,
  'clients-python': 55,
  'shop-faults': 54,
  openapi: 50,
  sizes: 50,
  'local-stack-crashes': 48,
  'local-stack': 46,
  'clients-java': 41,
  reconciliation: 40,
  'parked-events': 35,
  'killed-requests': 30,
  'raced-repeats': 30,
};

/** Orders the files of the long run, the slowest first: a fresh clone has no times of its own for Jest's sequencer. The others follow by size. */
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
