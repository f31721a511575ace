import { describeHostileRequests } from '#test/support/hostile/generated-requests.ts';

describeHostileRequests(Number(process.env.FUZZ_RUNS ?? 50));
