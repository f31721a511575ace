import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { businessOption, graceOption, keyNameOption, kindOption, modeOption } from '#infra/ops/options.ts';
import { type Answer, COMMAND, examples, issuedKeys, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { formatTime, keyState, keyView } from '#infra/ops/views.ts';
import { type ApiKey, describeKey } from '#shared/businesses/domain/api-key.ts';
import { createKey } from '#shared/businesses/use-cases/create-key.ts';
import { findBusiness, findKey } from '#shared/businesses/use-cases/find-business.ts';
import type { KeyType } from '#shared/businesses/use-cases/issue-key.ts';
import { revokeKey } from '#shared/businesses/use-cases/revoke-key.ts';
import { rollKey } from '#shared/businesses/use-cases/roll-key.ts';
import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';
import { BUSINESS, KEY } from './example-ids.ts';

/** Formats keys as a table. `uses`: the time of the last use of each key, by its id. */
export const keyTable = (keys: readonly ApiKey[], now: Millis, uses?: ReadonlyMap<string, Millis>): string =>
  listing(
    ['ID', 'MODE', 'KIND', 'KEY', 'NAME', 'CREATED', ...(uses ? ['LAST USED'] : []), 'STATE', 'ONLY FROM'],
    keys.map((key) => [
      key.id,
      key.mode,
      key.kind,
      `${key.prefix}…${key.last4}`,
      key.name ?? '',
      isoMicros(key.createdAt),
      ...(uses ? [formatTime(uses.get(key.id) ?? null) ?? 'never'] : []),
      keyState(key, now),
      key.ipWhitelist.join(' '),
    ]),
    '  none',
  );

type CreateOptions = KeyType & { readonly business: string; readonly name?: string };

const create = async (stage: Stage, { business, mode, kind, name }: CreateOptions): Promise<Answer> => {
  const { issued: key } = await createKey(stage, {
    businessId: business,
    mode,
    kind,
    name,
    actor: await stage.operator(),
  });
  return { json: { key }, text: paragraphs(`Created a ${mode} ${kind} key:`, issuedKeys([key])) };
};

const list = async (stage: Stage, businessId: string): Promise<Answer> => {
  const keys = await stage.businesses.keys(await findBusiness(stage, businessId));
  const uses = await stage.businesses.lastUses(keys);
  const views = keys.map((key) => ({ ...keyView(key), last_used_at: formatTime(uses.get(key.id) ?? null) }));
  return { json: { keys: views }, text: keyTable(keys, stage.now(), uses) };
};

const roll = async (stage: Stage, keyId: string, grace: Millis): Promise<Answer> => {
  const { issued, replaced } = await rollKey(stage, { keyId, grace, actor: await stage.operator() });
  const end =
    replaced.expiresAt === null
      ? 'no longer works'
      : `works until ${isoMicros(replaced.expiresAt)}: put the new key in place before then`;
  return {
    json: { key: issued, replaced: keyView(replaced) },
    text: paragraphs('The new key:', issuedKeys([issued]), `The old key ${keyId} ${end}.`),
  };
};

const revoke = async (stage: Stage, keyId: string): Promise<Answer> => {
  const key = await revokeKey(stage, { keyId, actor: await stage.operator() });
  return {
    json: { key: keyView(key) },
    text: `Key ${key.id} no longer works. To create another key: ${COMMAND} key create --help`,
  };
};

const formatKey = (key: ApiKey): string => `${describeKey(key)} (${key.id}) of business ${key.businessId}`;

const askToRoll = async (stage: Stage, keyId: string): Promise<string> =>
  `replace ${formatKey(await findKey(stage, keyId))}? It will stop working at once.`;

const askToRevoke = async (stage: Stage, keyId: string): Promise<string> =>
  `revoke ${formatKey(await findKey(stage, keyId))}? It will stop working at once, for good.`;

/** `key create | list | roll | revoke`. */
export const addKeyCommands = (program: Command, run: Run): void => {
  const group = program.command('key').description('manages the API keys of a business');
  group.addHelpText('after', examples(`key list --business ${BUSINESS}`, `key roll ${KEY} --grace 24h`));
  group
    .command('create')
    .description('creates a key, which is shown only this once')
    .addOption(businessOption())
    .addOption(modeOption())
    .addOption(kindOption())
    .addOption(keyNameOption())
    .addHelpText(
      'after',
      examples(
        `key create --business ${BUSINESS} --mode test --kind secret`,
        `key create --business ${BUSINESS} --mode live --kind secret --name "Checkout server"`,
      ),
    )
    .action((options: CreateOptions, command: Command) => run(command, (stage) => create(stage, options)));
  group
    .command('list')
    .description('lists the keys of a business, oldest first, with their prefixes and last four characters')
    .addOption(businessOption())
    .addHelpText('after', examples(`key list --business ${BUSINESS}`))
    .action(({ business }: CreateOptions, command: Command) => run(command, (stage) => list(stage, business)));
  group
    .command('roll')
    .description('replaces a key by a new one with the same mode, kind and whitelist')
    .argument('<key>', 'the id of the old key')
    .addOption(graceOption('how long the old key still works: 0, 90s, 30m, 24h, at most 7d'))
    .addHelpText('after', examples(`key roll ${KEY}`, `key roll ${KEY} --grace 7d`, `key roll ${KEY} --grace 0`))
    .action((id: string, { grace }: { grace: Millis }, command: Command) =>
      run(command, (stage) => roll(stage, id, grace), grace === 0 ? (stage) => askToRoll(stage, id) : undefined),
    );
  group
    .command('revoke')
    .description('ends a key at once, for good')
    .argument('<key>', 'the id of the key')
    .addHelpText('after', examples(`key revoke ${KEY}`))
    .action((id: string, _options: unknown, command: Command) =>
      run(
        command,
        (stage) => revoke(stage, id),
        (stage) => askToRevoke(stage, id),
      ),
    );
};
