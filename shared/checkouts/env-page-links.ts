import * as z from 'zod/mini';
import { apiEnv, simulatingApiEnv } from '#shared/api/env.ts';
import { keysPlace, tableEnv, testQueueEnv } from '#shared/platform/env.ts';
import { routingEnv } from '#shared/providers/env-health.ts';

/** The location of the keys that sign and check payment page links. */
export const linksEnv = { PAGE_LINK_KEYS: keysPlace };

/** Environment of an endpoint that shows checkouts with the links of their payment pages. */
export const showingCheckoutsEnv = z.extend(apiEnv, linksEnv);
export const simulateCheckoutEnv = z.extend(simulatingApiEnv, linksEnv);

/** Environment of the payment page. Its link admits the payer instead of an API key. */
export const payerPageEnv = z.extend(tableEnv, { ...linksEnv, ...routingEnv });
export const simulateOnPageEnv = z.extend(payerPageEnv, testQueueEnv.shape);
