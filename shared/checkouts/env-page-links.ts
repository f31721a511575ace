import * as z from 'zod/mini';
import { apiEnv, simulatingApiEnv } from '#shared/api/env.ts';
import { keysPlace, tableEnv, testQueueEnv } from '#shared/platform/env.ts';
import { routingEnv } from '#shared/providers/env-health.ts';

/** The keys of the links of payers' pages, for whoever makes or reads them. */
export const linksEnv = { PAGE_LINK_KEYS: keysPlace };

/** An endpoint that shows checkouts: it makes the links of their pages. */
export const showingCheckoutsEnv = z.extend(apiEnv, linksEnv);
export const simulateCheckoutEnv = z.extend(simulatingApiEnv, linksEnv);

/** A payer's page, which its link admits in place of a key of the API. */
export const payerPageEnv = z.extend(tableEnv, { ...linksEnv, ...routingEnv });
export const simulateOnPageEnv = z.extend(payerPageEnv, testQueueEnv.shape);
