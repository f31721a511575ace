import * as z from 'zod/mini';
import { announcingEnv, json, tableEnv, testQueueEnv } from '#shared/platform/env.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { rateLimits } from '#shared/platform/requests/rate-limit.ts';

/** The variables of every endpoint. */
export const apiEnv = z.extend(tableEnv, {
  /** The stage's secret for the hashes of request bodies, cursors and e-mail addresses. */
  HASH_KEY: text.check(z.minLength(32)),
  /** Requests a second, as JSON. */
  RATE_LIMITS: z.pipe(json, rateLimits),
});

/** The variables of an endpoint that announces events or queues deliveries. */
export const announcingApiEnv = z.extend(apiEnv, announcingEnv.shape);

/** The variables of an endpoint that takes test keys only, and announces events of test mode. */
export const simulatingApiEnv = z.extend(apiEnv, testQueueEnv.shape);
