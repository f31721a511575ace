import type { ChainDeps } from '#shared/api/http/types.ts';
import { afterForm, formField, payerStateRoute } from '#shared/api/payer-page.ts';
import { simulateOnPageDeps } from '#shared/checkouts/compose-payer-page.ts';
import { simulateOnPageEnv } from '#shared/checkouts/env-page-links.ts';
import { type ShowDeps, showToPayer } from '#shared/checkouts/use-cases/show-to-payer.ts';
import {
  PAGE_OUTCOMES,
  type SimulateOnPageDeps,
  simulateOnPage,
} from '#shared/checkouts/use-cases/simulate-on-page.ts';
import { readEnv } from '#shared/platform/env.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';

/** Simulates a bank transfer on the payment page of a test checkout. */
export const simulateOnPageHandler = (deps: ChainDeps & ShowDeps & SimulateOnPageDeps) =>
  payerStateRoute(deps, async (event, request, markChanged) => {
    const outcome = PAGE_OUTCOMES.find((value) => value === formField(event, 'outcome'));
    if (!outcome) throw invalid({ field: 'outcome', message: `outcome must be one of: ${PAGE_OUTCOMES.join(', ')}.` });
    const seenVersion = Number(formField(event, 'version'));
    const checkout = await simulateOnPage(deps, request.link, { outcome, seenVersion });
    markChanged(checkout.reference);
    return afterForm(event, request, () => showToPayer(deps, checkout, request.sentAt));
  });

export const handler = simulateOnPageHandler(simulateOnPageDeps(readEnv(simulateOnPageEnv, process.env)));
