import { describeWebhookChaos } from '#test/support/chaos/webhook-chaos.ts';

describeWebhookChaos({ underAllFaults: 1_050, forEachKill: 60, leastFaults: 10 });
