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

const state = ({ suspended }: Business): string => (suspended ? 'suspended' : 'active');

const create = async (stage: Stage, name: string): Promise<Answer> => {
  const { business, keys } = await createBusiness(stage, { name, who: await stage.operator() });
  return {
    json: { business: { id: business.id, name: business.name }, keys },
    text: paragraphs(
      `Created the business ${business.name}: ${business.id}`,
      issuedKeys(keys),
      ...(stage.baseUrl === undefined ? [] : [`Its API: ${stage.baseUrl}`]),
      `Next, say where its webhooks go:\n  ${COMMAND} endpoint create --business ${business.id} --mode test --url URL`,
    ),
  };
};

const listed = (businesses: readonly Business[]): Answer => ({
  json: { businesses: businesses.map(businessView) },
  text: listing(
    ['ID', 'STATE', 'CREATED', 'NAME'],
    businesses.map((business) => [business.id, state(business), isoMicros(business.createdAt), business.name]),
    `No business yet. Create one with: ${COMMAND} business create --name NAME`,
  ),
});

const rename = async (stage: Stage, businessId: string, name: string): Promise<Answer> => {
  const business = await renameBusiness(stage, { businessId, name, who: await stage.operator() });
  return { json: { business: businessView(business) }, text: `${business.id} is named ${business.name} now.` };
};

const MODES = ['live', 'test'] as const satisfies readonly Mode[];
/** Checkouts shown of each mode. */
const RECENT = 10;

const recentCheckouts = async (stage: Stage, businessId: string) => {
  const [live, test] = await Promise.all(
    MODES.map((mode) => stage.checkouts.list({ businessId, mode }, { limit: RECENT, after: null })),
  );
  return { live: live?.items ?? [], test: test?.items ?? [] };
};

const show = async (stage: Stage, id: string): Promise<Answer> => {
  const business = await findBusiness(stage, id);
  const [keys, endpoints, checkouts] = await Promise.all([
    stage.businesses.keys(business),
    stage.businesses.endpoints(business).then((all) => withHealth(stage, all)),
    recentCheckouts(stage, id),
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
        ['state', state(business)],
        ['created', view.created_at],
        ...profileLines(business),
      ]),
      `Keys\n${keyTable(keys, stage.now())}`,
      `Webhook endpoints\n${healthTable(endpoints)}`,
      `The newest checkouts\n${checkoutTable([...checkouts.live, ...checkouts.test], '  none')}`,
    ),
  };
};

const suspend = async (stage: Stage, id: string): Promise<Answer> => {
  const business = await suspendBusiness(stage, { businessId: id, who: await stage.operator() });
  return {
    json: { business: businessView(business) },
    text: `${business.name} is suspended: none of its keys works. Undo it with: ${COMMAND} business resume ${id}`,
  };
};

const resume = async (stage: Stage, id: string): Promise<Answer> => {
  const business = await resumeBusiness(stage, { businessId: id, who: await stage.operator() });
  return { json: { business: businessView(business) }, text: `${business.name} is active: its keys work.` };
};

const suspendQuestion = async (stage: Stage, id: string): Promise<string> =>
  `suspend ${(await findBusiness(stage, id)).name} (${id}), so that none of its keys works from its next request on?`;

/** `business create | list | find | show | rename | set | suspend | resume`. */
export const addBusinessCommands = (program: Command, run: Run): void => {
  const group = program.command('business').description('the businesses that use the service');
  group.addHelpText('after', examples('business list', 'business find ada', 'business create --name "Ada Stores"'));
  group
    .command('create')
    .description('creates a business with its four keys, which are shown only this once')
    .requiredOption('--name <name>', '1 to 100 characters')
    .addHelpText('after', examples('business create --name "Ada Stores"'))
    .action(({ name }: { name: string }, command: Command) => run(command, (stage) => create(stage, name)));
  group
    .command('list')
    .description('all businesses, newest first')
    .addHelpText('after', examples('business list'))
    .action((_options: unknown, command: Command) => run(command, async (stage) => listed(await allBusinesses(stage))));
  group
    .command('find')
    .description('businesses with a text in their names, newest first, at most fifty; case and accents do not matter')
    .argument('<text>', 'a part of the name')
    .addHelpText('after', examples('business find "ada stores"'))
    .action((text: string, _options: unknown, command: Command) =>
      run(command, async (stage) => listed(await findBusinessesByName(stage, text))),
    );
  group
    .command('rename')
    .description('gives a business another name; its id, keys and webhooks stay')
    .argument('<business>', 'its id')
    .requiredOption('--name <name>', '1 to 100 characters')
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
      .argument('<business>', 'its id')
      .addHelpText('after', examples(`business ${name} ${BUSINESS}`))
      .action((id: string, _options: unknown, command: Command) =>
        run(command, (stage) => work(stage, id), question && ((stage) => question(stage, id))),
      );
  addCommand(
    'show',
    'a business with its keys, its webhook endpoints and their health, and its newest checkouts',
    show,
  );
  addCommand('suspend', 'stops all keys of a business with their next request', suspend, suspendQuestion);
  addCommand('resume', 'lets the keys of a suspended business work again', resume);
};
