import { describeMoneyCrashes } from '#test/support/chaos/money-crashes.ts';

/* The calls that matter most; test/long/money-chaos.test.ts lets processes die at every one. */

/** The writes that decide whether money is credited once. */
const DECISIVE = new Set([
  'notifications.save',
  'ledger.record',
  'ledger.assignReference',
  'reconciliations.save',
  'checkoutIntents.settle',
  'accountIntents.settle',
]);
describeMoneyCrashes((call) => DECISIVE.has(call));
