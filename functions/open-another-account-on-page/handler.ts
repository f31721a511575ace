import type { ChainDeps } from '#shared/api/http/types.ts';
import { afterForm, payerStateRoute } from '#shared/api/payer-page.ts';
import { openAnotherOnPageDeps } from '#shared/checkouts/compose-payer-page.ts';
import { openAnotherOnPageEnv } from '#shared/checkouts/env.ts';
import {
  openAnotherAccountForPayer,
  type PayersAnotherAccountDeps,
} from '#shared/checkouts/use-cases/another-account.ts';
import { type ShowDeps, showToPayer } from '#shared/checkouts/use-cases/show-to-payer.ts';
import { readEnv } from '#shared/platform/env.ts';
import { addressBlock } from '#shared/platform/requests/address-block.ts';

/** Opens another account for a payer whose bank cannot find the present account, and shows it on the payment page. */
export const openAnotherOnPageHandler = (deps: ChainDeps & ShowDeps & PayersAnotherAccountDeps) =>
  payerStateRoute(deps, async (event, request, markChanged) => {
    const { sourceIp } = event.requestContext.http;
    const checkout = await openAnotherAccountForPayer(deps, request.link, addressBlock(sourceIp));
    markChanged(checkout.reference);
    return afterForm(event, request, () => showToPayer(deps, checkout, request.sentAt));
  });

export const handler = openAnotherOnPageHandler(openAnotherOnPageDeps(readEnv(openAnotherOnPageEnv, process.env)));
