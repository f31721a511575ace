import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, COMMAND, columns, examples, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import type { ApiKey } from '#shared/businesses/domain/api-key.ts';
import { findKey } from '#shared/businesses/use-cases/find-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { KEY } from './example-ids.ts';

const toView = ({ id, ipWhitelist }: ApiKey) => ({ id, ip_whitelist: ipWhitelist });

const formatWhitelist = ({ id, ipWhitelist }: ApiKey): string =>
  ipWhitelist.length === 0
    ? `Key ${id} may be used from any address.`
    : paragraphs(`Key ${id} may be used only from:`, columns(ipWhitelist.map((entry) => [entry])));

const show = (key: ApiKey): Answer => ({ json: { key: toView(key) }, text: formatWhitelist(key) });

/** Warns that the whitelist of a rolled key does not apply to its successor. */
const warnOfSuccessor = (key: ApiKey, { id, ipWhitelist }: ApiKey): string => {
  const from = ipWhitelist.length === 0 ? 'may be used from any address' : 'has another whitelist';
  const command = key.ipWhitelist.length === 0 ? `clear ${id}` : `set ${id} ${key.ipWhitelist.join(' ')}`;
  return `${key.id} was rolled. Its successor ${id} ${from}. Set the same whitelist there with: ${COMMAND} whitelist ${command}`;
};

const isSameList = (key: ApiKey, other: ApiKey): boolean => String(key.ipWhitelist) === String(other.ipWhitelist);

const set = async (stage: Stage, keyId: string, entries: readonly string[]): Promise<Answer> => {
  const { key, successors } = await updateKey(stage, { keyId, entries, actor: await stage.operator() });
  const differing = successors.filter((successor) => !isSameList(successor, key));
  return {
    json: { key: toView(key), ...(successors.length > 0 && { successors: successors.map(toView) }) },
    text: paragraphs(formatWhitelist(key), ...differing.map((successor) => warnOfSuccessor(key, successor))),
  };
};

const askToChange = async (stage: Stage, keyId: string, entries: readonly string[]): Promise<string> => {
  const { mode, businessId, ipWhitelist } = await findKey(stage, keyId);
  const current = ipWhitelist.length === 0 ? 'from any address' : `only from ${ipWhitelist.join(', ')}`;
  const wanted = entries.length === 0 ? 'from any address' : `only from ${entries.join(', ')}`;
  return `let the ${mode} key ${keyId} of business ${businessId} be used ${wanted}? Now it may be used ${current}.`;
};

/** `whitelist set | show | clear`. */
export const addWhitelistCommands = (program: Command, run: Run): void => {
  const group = program.command('whitelist').description('manages the addresses that may use a secret key');
  group.addHelpText('after', examples(`whitelist set ${KEY} 102.89.23.17 10.0.0.0/8`, `whitelist clear ${KEY}`));
  group
    .command('set')
    .description('allows only these addresses to use the key; replaces the whole list')
    .argument('<key>', 'the id of a secret key')
    .argument('<addresses...>', 'IPv4 or IPv6 addresses or CIDR ranges, at most 100')
    .addHelpText('after', examples(`whitelist set ${KEY} 102.89.23.17 10.0.0.0/8 2001:db8::/32`))
    .action((id: string, entries: string[], _options: unknown, command: Command) =>
      run(
        command,
        (stage) => set(stage, id, entries),
        (stage) => askToChange(stage, id, entries),
      ),
    );
  group
    .command('show')
    .description('shows the addresses that may use a key')
    .argument('<key>', 'the id of the key')
    .addHelpText('after', examples(`whitelist show ${KEY}`))
    .action((id: string, _options: unknown, command: Command) =>
      run(command, async (stage) => show(await findKey(stage, id))),
    );
  group
    .command('clear')
    .description('allows every address to use the key again')
    .argument('<key>', 'the id of a secret key')
    .addHelpText('after', examples(`whitelist clear ${KEY}`))
    .action((id: string, _options: unknown, command: Command) =>
      run(
        command,
        (stage) => set(stage, id, []),
        (stage) => askToChange(stage, id, []),
      ),
    );
};
