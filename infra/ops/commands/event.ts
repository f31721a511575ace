import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, columns, examples, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { deliveryView } from '#shared/contract/webhooks/delivery-view.ts';
import { eventView } from '#shared/contract/webhooks/event-view.ts';
import { findEvent, redeliverByOperator } from '#shared/use-cases/webhooks/redeliver-by-operator.ts';
import { ENDPOINT, EVENT } from './example-ids.ts';

interface To {
  readonly endpoint?: string;
}

const redeliver = async (
  stage: Stage,
  eventId: string,
  { endpoint: endpointId = null }: { endpoint?: string | null },
): Promise<Answer> => {
  const { event, deliveries } = await redeliverByOperator(stage, { eventId, endpointId, who: await stage.who() });
  const shown = deliveries.map(({ delivery, attempts }) => deliveryView(delivery, attempts));
  return {
    json: { event: { ...eventView(event), deliveries: shown } },
    text: paragraphs(
      `${event.type} ${event.id} goes out again. Its deliveries now:`,
      columns(shown.map((one) => [one.endpoint_id, one.status, `${one.attempts.length} attempts so far`])),
    ),
  };
};

const question = async (stage: Stage, eventId: string, { endpoint }: To): Promise<string> => {
  const { type, businessId, mode } = await findEvent(stage, eventId);
  const to = endpoint ?? 'every endpoint that it went to';
  return `send the ${mode} event ${type} of business ${businessId} again, to ${to}?`;
};

/** `event redeliver`. */
export const addEventCommands = (program: Command, run: Run): void => {
  const shown = [`event redeliver ${EVENT}`, `event redeliver ${EVENT} --endpoint ${ENDPOINT}`];
  const group = program.command('event').description('what businesses are notified of by webhook');
  group.addHelpText('after', examples(...shown));
  group
    .command('redeliver')
    .description('sends an event again, at once, even while its endpoint is failing')
    .argument('<event>', 'its id')
    .option('--endpoint <id>', 'only to this one, even if the event was never sent to it')
    .addHelpText('after', examples(...shown))
    .action((id: string, to: To, command: Command) =>
      run(
        command,
        (stage) => redeliver(stage, id, to),
        (stage) => question(stage, id, to),
      ),
    );
};
