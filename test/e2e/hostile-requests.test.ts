import { describeHostileRequests } from '#test/support/hostile/generated-requests.ts';

/* A few generated requests for each route; test/long/hostile-requests.test.ts runs many. */

describeHostileRequests(10);
