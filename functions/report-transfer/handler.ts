import type { ChainDeps } from '#shared/api/http/types.ts';
import { afterForm, payerStateRoute } from '#shared/api/payer-page.ts';
import { reportTransferDeps } from '#shared/checkouts/compose-payer-page.ts';
import { reportTransferEnv } from '#shared/checkouts/env.ts';
import { type ReportTransferDeps, reportTransfer } from '#shared/checkouts/use-cases/report-transfer.ts';
import { type ShowDeps, showToPayer } from '#shared/checkouts/use-cases/show-to-payer.ts';
import { readEnv } from '#shared/platform/env.ts';
import { addressBlock } from '#shared/platform/requests/address-block.ts';

/** Takes a payer's report that the money was sent, and asks the provider. */
export const reportTransferHandler = (deps: ChainDeps & ShowDeps & ReportTransferDeps) =>
  payerStateRoute(deps, async (event, request, markChanged) => {
    const report = { ...request, sentAt: request.sentAt ?? deps.now() };
    const checkout = await reportTransfer(deps, report.link, addressBlock(event.requestContext.http.sourceIp));
    markChanged(checkout.reference);
    return afterForm(event, report, () => showToPayer(deps, checkout, report.sentAt));
  });

export const handler = reportTransferHandler(reportTransferDeps(readEnv(reportTransferEnv, process.env)));
