import { expectBacklogDelivered } from '#test/support/engines/parked-backlog.ts';

// 10,000 reach the drain's highest rate, which the 1,000 of test/integration/webhooks/breaker.test.ts do not.
test(
  '10,000 events parked for 71 h cost under 100 requests, and then all arrive once, at a rising rate',
  () => expectBacklogDelivered(10_000),
  // Only against hanging, so that the test does not depend on the machine's speed.
  1_800_000,
);
