import { expectBacklogDelivered } from '#test/support/engines/parked-backlog.ts';

// 10,000 reach the drain's highest rate, which the 1,000 of test/integration/webhooks/breaker.test.ts do not.
test(
  '10,000 events parked for 71 h cost under 100 requests, and all arrive afterwards at the rising rate, none twice',
  () => expectBacklogDelivered(10_000),
  // Against hanging only: no test may depend on how fast a machine is.
  1_800_000,
);
