import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { afterOption, positionIn } from '#infra/ops/options.ts';
import { type Answer, COMMAND, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import type { OperatorChange } from '#shared/businesses/domain/operator-change.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { BUSINESS } from './example-ids.ts';

/** Changes a page. */
const PAGE = 50;
/** A position as an earlier page of the same list has named it. */
const CURSOR = { ofStage: /^\d{15}#log_\w{26}$/, ofBusiness: /^LOG#log_\w{26}$/ };

interface From {
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

const list = async (stage: Stage, businessId: string | undefined, { after }: From) => {
  const position = positionIn(CURSOR[businessId === undefined ? 'ofStage' : 'ofBusiness'], after);
  if (businessId !== undefined) await findBusiness(stage, businessId);
  const { items, next } = await stage.businesses.listChanges({ limit: PAGE, after: position }, businessId);
  const named = businessId === undefined ? '' : ` ${businessId}`;
  return {
    json: { changes: items.map(view), next },
    text: paragraphs(
      listing(['AT', 'WHO', 'BUSINESS', 'WHAT'], items.map(row), 'No operator has changed anything.'),
      ...(next === null ? [] : [`Older ones: ${COMMAND} audit list${named} --after '${next}'`]),
    ),
  } satisfies Answer;
};

/** `audit list`. */
export const addAuditCommands = (program: Command, run: Run): void => {
  const samples = ['audit list', `--stage prod audit list ${BUSINESS}`];
  const group = program.command('audit').description('who changed what with this command');
  group.addHelpText('after', examples(...samples));
  group
    .command('list')
    .description(`what operators changed, newest first, ${PAGE} at a time; each with the identity at AWS that did it`)
    .argument('[business]', 'only at this one, by its id')
    .addOption(afterOption())
    .addHelpText('after', examples(...samples))
    .action((business: string | undefined, from: From, command: Command) =>
      run(command, (stage) => list(stage, business, from)),
    );
};
