import { type Command, Option } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { readSince } from '#infra/ops/duration.ts';
import {
  afterOption,
  businessOption,
  formatNextPage,
  modeOption,
  parsePosition,
  sinceOption,
} from '#infra/ops/options.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { CHECKOUTS_A_PAGE, searchCheckouts } from '#shared/checkouts/use-cases/search-checkouts.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { BUSINESS } from './example-ids.ts';

/** Formats checkouts as a table, or returns `none` if there are none. */
export const checkoutTable = (checkouts: readonly Checkout[], none: string): string =>
  listing(
    ['REFERENCE', 'MODE', 'STATUS', 'PAID', 'OF', 'PROVIDER', 'CREATED', 'MERCHANT REFERENCE'],
    checkouts
      .map(checkoutView)
      .map((view) => [
        ...[view.reference, view.mode, view.status, view.paid_amount.toFixed(2), view.amount.toFixed(2), view.provider],
        ...[view.created_at, view.merchant_reference ?? '-'],
      ]),
    none,
  );

const STATUSES = ['pending', 'underpaid', 'paid', 'expired', 'failed'] as const satisfies readonly Checkout['status'][];
const POSITION = /^\d{15}#PAY-[0-9A-Z]{20}$/;

interface ListOptions {
  readonly business: string;
  readonly mode: Mode;
  readonly status?: Checkout['status'];
  readonly payerEmail?: string;
  readonly since?: string;
  readonly after?: string;
}

const list = async (stage: Stage, options: ListOptions): Promise<Answer> => {
  const { business: businessId, mode, status = null, payerEmail = null, after } = options;
  const filter = { status, payerEmail, since: readSince(options.since, stage.now()) };
  const position = parsePosition(POSITION, after);
  await findBusiness(stage, businessId);
  const { items, next } = await searchCheckouts(stage, { businessId, mode }, filter, position);
  const none = next === null ? 'There is no such checkout.' : 'This page has no such checkout.';
  return {
    json: { checkouts: items.map(checkoutView), next },
    text: paragraphs(checkoutTable(items, none), ...formatNextPage('checkout list', options, next)),
  };
};

/** `checkout list`. */
export const addCheckoutList = (group: Command, run: Run): void => {
  group
    .command('list')
    .description(`lists the checkouts of a business in one mode, newest first, about ${CHECKOUTS_A_PAGE} at a time`)
    .addOption(businessOption())
    .addOption(modeOption())
    .addOption(new Option('--status <status>', 'only checkouts with this status').choices(STATUSES))
    .option('--payer-email <address>', 'only checkouts of this payer; case does not matter')
    .addOption(sinceOption())
    .addOption(afterOption())
    .addHelpText(
      'after',
      examples(
        `checkout list --business ${BUSINESS} --mode live --status underpaid --since 7d`,
        `checkout list --business ${BUSINESS} --mode test --payer-email tunde.bakare@example.com`,
      ),
    )
    .action((options: ListOptions, command: Command) => run(command, (stage) => list(stage, options)));
};
