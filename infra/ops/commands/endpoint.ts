import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { readEventTypes } from '#infra/ops/event-types.ts';
import { findEndpoint } from '#infra/ops/find.ts';
import { businessOption, modeOption } from '#infra/ops/options.ts';
import { type Answer, examples, fields, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { time } from '#infra/ops/views.ts';
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

interface Created {
  readonly business: string;
  readonly mode: Mode;
  readonly url: string;
  readonly events: string;
}

const create = async (stage: Stage, { business, mode, url, events }: Created): Promise<Answer> => {
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

/** Deliveries that are counted of each kind. */
const MAX_COUNTED = 1_000;

const waiting = async ({ deliveries }: Stage, id: string, state: 'parked' | 'exhausted'): Promise<number> =>
  (await deliveries.listWaiting(id, state, MAX_COUNTED, 0)).length;

const counted = (count: number): string => (count === MAX_COUNTED ? `${count} or more` : String(count));

const show = async (stage: Stage, id: string): Promise<Answer> => {
  const endpoint = await findEndpoint(stage, id);
  const [business, health, parked, exhausted] = await Promise.all([
    findBusiness(stage, endpoint.businessId),
    endpointHealth(stage, endpoint),
    waiting(stage, id, 'parked'),
    waiting(stage, id, 'exhausted'),
  ]);
  const old = endpoint.secrets.find(({ until }) => until !== null && stage.now() < until);
  const view = endpointView(endpoint);
  const { id: businessId, name } = business;
  const replacedUntil = time(old?.until ?? null);
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
      ['waiting', `${counted(parked)} parked, ${counted(exhausted)} given up`],
      ['signed with', replacedUntil === null ? 'one secret' : `two secrets, the older until ${replacedUntil}`],
      ['created', view.created_at],
    ]),
  };
};

/** `endpoint create | list | show | update | enable | disable | rotate | seal | delete | test`. */
export const addEndpointCommands = (program: Command, run: Run): void => {
  const example = `endpoint create --business ${BUSINESS} --mode test --url https://ada.example/webhooks`;
  const group = program.command('endpoint').description('where a business gets its webhooks');
  group.addHelpText('after', examples(example, `endpoint list --business ${BUSINESS}`, `endpoint show ${ENDPOINT}`));
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
  group
    .command('show')
    .description('a webhook endpoint with its health and what waits for it')
    .argument('<endpoint>', 'its id')
    .addHelpText('after', examples(`endpoint show ${ENDPOINT}`))
    .action((id: string, _options: unknown, command: Command) => run(command, (stage) => show(stage, id)));
  addEndpointChanges(group, run);
};
