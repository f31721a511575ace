import { api } from '#shared/api/api.ts';
import type { ApiDeps, Reply } from '#shared/api/http/types.ts';
import { type CheckoutViewDeps, createCheckoutView } from '#shared/checkouts/api/checkout-view.ts';
import { openAnotherAccountDeps } from '#shared/checkouts/compose.ts';
import { openAnotherAccountContract } from '#shared/checkouts/contract/open-another-account.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { openAnotherAccountEnv } from '#shared/checkouts/env.ts';
import { openAnotherAccountForServer } from '#shared/checkouts/use-cases/another-account.ts';
import type { OpenAnotherDeps } from '#shared/checkouts/use-cases/open-another-account.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Opens another account for a checkout. Money on its earlier accounts still counts. */
export const openAnotherAccountHandler = (deps: ApiDeps & CheckoutViewDeps & OpenAnotherDeps) =>
  api(openAnotherAccountContract, deps, async ({ caller, params, serverUrl: server, commit }) => {
    const view = await createCheckoutView(deps, server);
    const reply = (checkout: Checkout): Reply => ({ status: 200, body: { status: true, data: view(checkout) } });
    return commit(() => openAnotherAccountForServer(deps, caller, params.reference), reply);
  });

export const handler = openAnotherAccountHandler(openAnotherAccountDeps(readEnv(openAnotherAccountEnv, process.env)));
