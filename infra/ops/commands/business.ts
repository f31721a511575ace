import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, COMMAND, examples, fields, issuedKeys, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { businessView, keyView } from '#infra/ops/views.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { allBusinesses, findBusiness, findBusinessesByName } from '#shared/businesses/use-cases/find-business.ts';
import { renameBusiness } from '#shared/businesses/use-cases/rename-business.ts';
import { resumeBusiness, suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { addProfileCommand, profileLines } from './business-profile.ts';
import { checkoutTable } from './checkout-list.ts';
import { healthTable, withHealth } from './endpoint-health.ts';
import { BUSINESS } from './example-ids.ts';
import { keyTable } from './key.ts';

const formatState = ({ suspended }: Business): string => (suspended ? 'suspended' : 'active');

const create = async (stage: Stage, name: string): Promise<Answer> => {
  const { business, keys } = await createBusiness(stage, { name, actor: await stage.operator() });
  return {
    json: { business: { id: business.id, name: business.name }, keys },
    text: paragraphs(
      `Created the business ${business.name}: ${business.id}`,
      issuedKeys(keys),
      ...(stage.baseUrl === undefined ? [] : [`The address of the API: ${stage.baseUrl}`]),
      `Next, set the URL that gets its webhooks:\n  ${COMMAND} endpoint create --business ${business.id} --mode test --url URL`,
    ),
  };
};

const toListAnswer = (businesses: readonly Business[]): Answer => ({
  json: { businesses: businesses.map(businessView) },
  text: listing(
    ['ID', 'STATE', 'CREATED', 'NAME'],
    businesses.map((business) => [business.id, formatState(business), isoMicros(business.createdAt), business.name]),
    `There is no such business. Create one with: ${COMMAND} business create --name NAME`,
  ),
});

const rename = async (stage: Stage, businessId: string, name: string): Promise<Answer> => {
  const business = await renameBusiness(stage, { businessId, name, actor: await stage.operator() });
  return { json: { business: businessView(business) }, text: `${business.id} is now named ${business.name}.` };
};

const MODES = ['live', 'test'] as const satisfies readonly Mode[];
/** The most checkouts of each mode that `business show` lists. */
const MAX_RECENT = 10;

const readRecentCheckouts = async (stage: Stage, businessId: string) => {
  const [live, test] = await Promise.all(
    MODES.map((mode) => stage.checkouts.list({ businessId, mode }, { limit: MAX_RECENT, after: null })),
  );
  return { live: live?.items ?? [], test: test?.items ?? [] };
};

const show = async (stage: Stage, id: string): Promise<Answer> => {
  const business = await findBusiness(stage, id);
  const [keys, endpoints, checkouts] = await Promise.all([
    stage.businesses.keys(business),
    stage.businesses.endpoints(business).then((all) => withHealth(stage, all)),
    readRecentCheckouts(stage, id),
  ]);
  const view = businessView(business);
  return {
    json: {
      business: view,
      keys: keys.map(keyView),
      endpoints: endpoints.map(({ endpoint, health }) => ({ ...endpointView(endpoint), ...health })),
      checkouts: { live: checkouts.live.map(checkoutView), test: checkouts.test.map(checkoutView) },
    },
    text: paragraphs(
      fields([
        ['name', view.name],
        ['id', view.id],
        ['state', formatState(business)],
        ['created', view.created_at],
        ...profileLines(business),
      ]),
      `Keys\n${keyTable(keys, stage.now())}`,
      `Webhook endpoints\n${healthTable(endpoints)}`,
      `Newest checkouts\n${checkoutTable([...checkouts.live, ...checkouts.test], '  none')}`,
    ),
  };
};

const suspend = async (stage: Stage, id: string): Promise<Answer> => {
  const business = await suspendBusiness(stage, { businessId: id, actor: await stage.operator() });
  return {
    json: { business: businessView(business) },
    text: `${business.name} is suspended: none of its keys works. Undo this with: ${COMMAND} business resume ${id}`,
  };
};

const resume = async (stage: Stage, id: string): Promise<Answer> => {
  const business = await resumeBusiness(stage, { businessId: id, actor: await stage.operator() });
  return { json: { business: businessView(business) }, text: `${business.name} is active: its keys work again.` };
};

const askToSuspend = async (stage: Stage, id: string): Promise<string> =>
  `suspend ${(await findBusiness(stage, id)).name} (${id})? None of its keys will work from the next request on.`;

/** `business create | list | find | show | rename | set | suspend | resume`. */
export const addBusinessCommands = (program: Command, run: Run): void => {
  const group = program.command('business').description('manages the businesses that use the service');
  group.addHelpText('after', examples('business list', 'business find ada', 'business create --name "Ada Stores"'));
  group
    .command('create')
    .description('creates a business with four API keys, which are shown only this once')
    .requiredOption('--name <name>', 'the name of the business, 1 to 100 characters')
    .addHelpText('after', examples('business create --name "Ada Stores"'))
    .action(({ name }: { name: string }, command: Command) => run(command, (stage) => create(stage, name)));
  group
    .command('list')
    .description('lists all businesses, newest first')
    .addHelpText('after', examples('business list'))
    .action((_options: unknown, command: Command) =>
      run(command, async (stage) => toListAnswer(await allBusinesses(stage))),
    );
  group
    .command('find')
    .description(
      'lists businesses by a part of their names, newest first, at most fifty; case and accents do not matter',
    )
    .argument('<text>', 'a part of the name')
    .addHelpText('after', examples('business find "ada stores"'))
    .action((text: string, _options: unknown, command: Command) =>
      run(command, async (stage) => toListAnswer(await findBusinessesByName(stage, text))),
    );
  group
    .command('rename')
    .description('renames a business; its id, keys and webhooks stay')
    .argument('<business>', 'the id of the business')
    .requiredOption('--name <name>', 'the new name, 1 to 100 characters')
    .addHelpText('after', examples(`business rename ${BUSINESS} --name "Ada Stores Limited"`))
    .action((id: string, { name }: { name: string }, command: Command) =>
      run(command, (stage) => rename(stage, id, name)),
    );

  addProfileCommand(group, run);

  const addCommand = (
    name: string,
    description: string,
    work: (stage: Stage, id: string) => Promise<Answer>,
    question?: (stage: Stage, id: string) => Promise<string>,
  ) =>
    group
      .command(name)
      .description(description)
      .argument('<business>', 'the id of the business')
      .addHelpText('after', examples(`business ${name} ${BUSINESS}`))
      .action((id: string, _options: unknown, command: Command) =>
        run(command, (stage) => work(stage, id), question && ((stage) => question(stage, id))),
      );
  addCommand(
    'show',
    'shows a business: its profile, its keys, its webhook endpoints and their health, and its newest checkouts',
    show,
  );
  addCommand('suspend', 'stops all keys of a business from the next request on', suspend, askToSuspend);
  addCommand('resume', 'lets the keys of a suspended business work again', resume);
};
