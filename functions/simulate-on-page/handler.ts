import { simulateOnPageDeps } from '#shared/composition/payer-page.ts';
import { invalid } from '#shared/domain/kernel/errors.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { simulateOnPageEnv } from '#shared/env/page-links.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { afterForm, formField, payerState } from '#shared/http/payer-page.ts';
import { type ShowDeps, showToPayer } from '#shared/use-cases/checkouts/show-to-payer.ts';
import {
  PAGE_OUTCOMES,
  type SimulateOnPageDeps,
  simulateOnPage,
} from '#shared/use-cases/checkouts/simulate-on-page.ts';

/** Causes what a bank transfer would, on the page of a test checkout. */
export const simulateOnPageHandler = (deps: PublicDeps & ShowDeps & SimulateOnPageDeps) =>
  payerState(deps, async (event, asked, changes) => {
    const outcome = PAGE_OUTCOMES.find((one) => one === formField(event, 'outcome'));
    if (!outcome) throw invalid({ field: 'outcome', message: `outcome must be one of: ${PAGE_OUTCOMES.join(', ')}.` });
    const seenVersion = Number(formField(event, 'version'));
    const checkout = await simulateOnPage(deps, asked.link, { outcome, seenVersion });
    changes(checkout.reference);
    return afterForm(event, asked, () => showToPayer(deps, checkout, asked.sentAt));
  });

export const handler = simulateOnPageHandler(simulateOnPageDeps(readEnv(simulateOnPageEnv, process.env)));
