import { describeHostileRequests } from '#test/support/hostile/generated-requests.ts';

/* A few for each route; test/long/hostile-requests.test.ts makes many. */

describeHostileRequests(10);
