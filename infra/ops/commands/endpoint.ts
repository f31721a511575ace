import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { businessOption, modeOption } from '#infra/ops/options.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import type { WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import { findBusiness } from '#shared/use-cases/kernel/find-business.ts';
import { createEndpointByOperator } from '#shared/use-cases/webhooks/create-endpoint-by-operator.ts';
import { BUSINESS } from './example-ids.ts';

/** Whether an endpoint is switched on, in words. */
export const endpointState = ({ enabled, disabledReason }: WebhookEndpoint): string =>
  enabled ? 'enabled' : `disabled: ${disabledReason ?? 'by hand'}`;

const endpointTable = (endpoints: readonly WebhookEndpoint[]): string =>
  listing(
    ['ID', 'MODE', 'STATE', 'EVENTS', 'URL'],
    endpoints.map((one) => [one.id, one.mode, endpointState(one), one.events.join(','), one.url]),
    '  none',
  );

interface Created {
  readonly business: string;
  readonly mode: Mode;
  readonly url: string;
  readonly events: string;
}

const create = async (stage: Stage, { business, mode, url, events }: Created): Promise<Answer> => {
  const { endpoint, secret } = await createEndpointByOperator(stage, {
    businessId: business,
    mode,
    url,
    events: events
      .split(',')
      .map((type) => type.trim())
      .filter((type) => type !== ''),
    who: await stage.who(),
  });
  return {
    json: { endpoint: { ...endpointView(endpoint), secret } },
    text: paragraphs(
      `Created the ${mode} webhook endpoint ${endpoint.id}: ${endpoint.url}`,
      `  ${secret}`,
      'The secret is shown only this once: store it now, where your receiver checks the signature of what it gets.',
    ),
  };
};

const list = async (stage: Stage, businessId: string): Promise<Answer> => {
  const endpoints = await stage.businesses.endpoints(await findBusiness(stage, businessId));
  return { json: { endpoints: endpoints.map(endpointView) }, text: endpointTable(endpoints) };
};

/** `endpoint create | list`. */
export const addEndpointCommands = (program: Command, run: Run): void => {
  const example = `endpoint create --business ${BUSINESS} --mode test --url https://ada.example/webhooks`;
  const group = program.command('endpoint').description('where a business gets its webhooks');
  group.addHelpText('after', examples(example, `endpoint list --business ${BUSINESS}`));
  group
    .command('create')
    .description('creates a webhook endpoint; its signing secret is shown only this once')
    .addOption(businessOption())
    .addOption(modeOption())
    .requiredOption('--url <url>', 'where webhooks are posted to')
    .option('--events <types>', 'event types, separated by commas, or * for all', '*')
    .addHelpText('after', examples(example, `${example} --events checkout.paid,checkout.overpaid`))
    .action((options: Created, command: Command) => run(command, (stage) => create(stage, options)));
  group
    .command('list')
    .description('the webhook endpoints of a business, oldest first')
    .addOption(businessOption())
    .addHelpText('after', examples(`endpoint list --business ${BUSINESS}`))
    .action(({ business }: Created, command: Command) => run(command, (stage) => list(stage, business)));
};
