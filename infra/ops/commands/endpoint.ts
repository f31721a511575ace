import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { readEventTypes } from '#infra/ops/event-types.ts';
import { findEndpoint } from '#infra/ops/find.ts';
import { businessOption, modeOption } from '#infra/ops/options.ts';
import { type Answer, examples, fields, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { formatTime } from '#infra/ops/views.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { createWebhookEndpoint } from '#shared/webhooks/use-cases/create-webhook-endpoint.ts';
import { addEndpointChanges, withSecret } from './endpoint-changes.ts';
import { endpointHealth, endpointState, healthText } from './endpoint-health.ts';
import { BUSINESS, ENDPOINT } from './example-ids.ts';

const endpointTable = (endpoints: readonly WebhookEndpoint[]): string =>
  listing(
    ['ID', 'MODE', 'STATE', 'EVENTS', 'URL'],
    endpoints.map((endpoint) => [
      endpoint.id,
      endpoint.mode,
      endpointState(endpoint),
      endpoint.events.join(','),
      endpoint.url,
    ]),
    '  none',
  );

interface CreateOptions {
  readonly business: string;
  readonly mode: Mode;
  readonly url: string;
  readonly events: string;
}

const create = async (stage: Stage, { business, mode, url, events }: CreateOptions): Promise<Answer> => {
  const input = { url: url.trim(), events: readEventTypes(events) };
  const { id: businessId } = await findBusiness(stage, business);
  const created = await createWebhookEndpoint(stage, { businessId, mode }, input, await stage.operator());
  const { endpoint } = created;
  return withSecret(created, `Created the ${mode} webhook endpoint ${endpoint.id}: ${endpoint.url}`);
};

const list = async (stage: Stage, businessId: string): Promise<Answer> => {
  const endpoints = await stage.businesses.endpoints(await findBusiness(stage, businessId));
  return { json: { endpoints: endpoints.map(endpointView) }, text: endpointTable(endpoints) };
};

/** The most deliveries of one state that `endpoint show` counts. If it counts so many, it prints `1000 or more`. */
const MAX_COUNTED = 1_000;

const countWaiting = async ({ deliveries }: Stage, id: string, state: 'parked' | 'exhausted'): Promise<number> =>
  (await deliveries.listUndeliveredKeys(id, state, MAX_COUNTED, 0)).length;

const formatCount = (count: number): string => (count === MAX_COUNTED ? `${count} or more` : String(count));

const show = async (stage: Stage, id: string): Promise<Answer> => {
  const endpoint = await findEndpoint(stage, id);
  const [business, health, parked, exhausted] = await Promise.all([
    findBusiness(stage, endpoint.businessId),
    endpointHealth(stage, endpoint),
    countWaiting(stage, id, 'parked'),
    countWaiting(stage, id, 'exhausted'),
  ]);
  const old = endpoint.secrets.find(({ until }) => until !== null && stage.now() < until);
  const view = endpointView(endpoint);
  const { id: businessId, name } = business;
  const replacedUntil = formatTime(old?.until ?? null);
  return {
    json: {
      business: { id: businessId, name },
      endpoint: { ...view, ...health, parked, exhausted, replaced_secret_until: replacedUntil },
    },
    text: fields([
      ['endpoint', id],
      ['business', `${name} (${businessId})`],
      ['mode', view.mode],
      ['url', view.url],
      ['events', view.events.join(', ')],
      ['state', endpointState(endpoint)],
      ['health', healthText(health)],
      ['waiting', `${formatCount(parked)} parked, ${formatCount(exhausted)} exhausted`],
      ['signed with', replacedUntil === null ? 'one secret' : `two secrets, the old one until ${replacedUntil}`],
      ['created', view.created_at],
    ]),
  };
};

/** `endpoint create | list | show | update | enable | disable | rotate | seal | delete | test`. */
export const addEndpointCommands = (program: Command, run: Run): void => {
  const example = `endpoint create --business ${BUSINESS} --mode test --url https://ada.example/webhooks`;
  const group = program.command('endpoint').description('manages the URLs that get the webhooks of a business');
  group.addHelpText('after', examples(example, `endpoint list --business ${BUSINESS}`, `endpoint show ${ENDPOINT}`));
  group
    .command('create')
    .description('creates a webhook endpoint; its signing secret is shown only this once')
    .addOption(businessOption())
    .addOption(modeOption())
    .requiredOption('--url <url>', 'the URL that gets the webhooks')
    .option('--events <types>', 'event types, separated by commas, or * for all', '*')
    .addHelpText('after', examples(example, `${example} --events checkout.paid,checkout.overpaid`))
    .action((options: CreateOptions, command: Command) => run(command, (stage) => create(stage, options)));
  group
    .command('list')
    .description('lists the webhook endpoints of a business, oldest first')
    .addOption(businessOption())
    .addHelpText('after', examples(`endpoint list --business ${BUSINESS}`))
    .action(({ business }: CreateOptions, command: Command) => run(command, (stage) => list(stage, business)));
  group
    .command('show')
    .description('shows a webhook endpoint, its health and its waiting deliveries')
    .argument('<endpoint>', 'the id of the endpoint')
    .addHelpText('after', examples(`endpoint show ${ENDPOINT}`))
    .action((id: string, _options: unknown, command: Command) => run(command, (stage) => show(stage, id)));
  addEndpointChanges(group, run);
};
