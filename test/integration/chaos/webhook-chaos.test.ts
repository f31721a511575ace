import { describeWebhookChaos } from '#test/support/chaos/webhook-chaos.ts';

/* A small run; test/long/webhook-chaos.test.ts makes the large one. */

describeWebhookChaos({ underAllFaults: 150, forEachKill: 15, leastFaults: 0 });
