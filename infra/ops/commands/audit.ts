import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { afterOption, parsePosition } from '#infra/ops/options.ts';
import { type Answer, COMMAND, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import type { OperatorChange } from '#shared/businesses/domain/operator-change.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { BUSINESS } from './example-ids.ts';

const CHANGES_A_PAGE = 50;
/** Formats of the cursor. */
const CURSOR = { ofStage: /^\d{15}#log_\w{26}$/, ofBusiness: /^LOG#log_\w{26}$/ };

interface ListOptions {
  readonly after?: string;
}

const view = ({ id, businessId, at, who, what }: OperatorChange) => ({
  id,
  business_id: businessId,
  at: isoMicros(at),
  who,
  what,
});

const row = (change: OperatorChange): string[] => {
  const { at, who, business_id: business, what } = view(change);
  return [at, who, business ?? 'the stage', what];
};

const list = async (stage: Stage, businessId: string | undefined, { after }: ListOptions) => {
  const position = parsePosition(CURSOR[businessId === undefined ? 'ofStage' : 'ofBusiness'], after);
  if (businessId !== undefined) await findBusiness(stage, businessId);
  const { items, next } = await stage.businesses.listChanges({ limit: CHANGES_A_PAGE, after: position }, businessId);
  const argument = businessId === undefined ? '' : ` ${businessId}`;
  return {
    json: { changes: items.map(view), next },
    text: paragraphs(
      listing(['AT', 'WHO', 'BUSINESS', 'WHAT'], items.map(row), 'No operator has changed anything yet.'),
      ...(next === null ? [] : [`See older ones with: ${COMMAND} audit list${argument} --after '${next}'`]),
    ),
  } satisfies Answer;
};

/** `audit list`. */
export const addAuditCommands = (program: Command, run: Run): void => {
  const samples = ['audit list', `--stage prod audit list ${BUSINESS}`];
  const group = program.command('audit').description('shows what operators changed with this command');
  group.addHelpText('after', examples(...samples));
  group
    .command('list')
    .description(
      `lists the changes that operators made, newest first, ${CHANGES_A_PAGE} at a time, each with the operator's AWS identity`,
    )
    .argument('[business]', 'the id of a business; without it, the changes at all businesses and of the stage')
    .addOption(afterOption())
    .addHelpText('after', examples(...samples))
    .action((business: string | undefined, options: ListOptions, command: Command) =>
      run(command, (stage) => list(stage, business, options)),
    );
};
