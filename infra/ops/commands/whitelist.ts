import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, columns, examples, paragraphs } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import { setWhitelist } from '#shared/use-cases/businesses/set-whitelist.ts';
import { findKey } from '#shared/use-cases/kernel/find-business.ts';
import { KEY } from './example-ids.ts';

const answer = ({ id, ipWhitelist }: ApiKey): Answer => ({
  json: { key: { id, ip_whitelist: ipWhitelist } },
  text:
    ipWhitelist.length === 0
      ? `Key ${id} may be used from any address.`
      : paragraphs(`Key ${id} may be used only from:`, columns(ipWhitelist.map((entry) => [entry]))),
});

const set = async (stage: Stage, keyId: string, entries: readonly string[]): Promise<Answer> =>
  answer(await setWhitelist(stage, { keyId, entries, who: await stage.who() }));

const question = async (stage: Stage, keyId: string, entries: readonly string[]): Promise<string> => {
  const { mode, businessId, ipWhitelist } = await findKey(stage, keyId);
  const now = ipWhitelist.length === 0 ? 'from any address' : `only from ${ipWhitelist.join(', ')}`;
  const then = entries.length === 0 ? 'from any address' : `only from ${entries.join(', ')}`;
  return `let the ${mode} key ${keyId} of business ${businessId} be used ${then}? Now it may be used ${now}.`;
};

/** `whitelist set | show | clear`. */
export const addWhitelistCommands = (program: Command, run: Run): void => {
  const group = program.command('whitelist').description('the addresses that may use a secret key');
  group.addHelpText('after', examples(`whitelist set ${KEY} 102.89.23.17 10.0.0.0/8`, `whitelist clear ${KEY}`));
  group
    .command('set')
    .description('allows these addresses and no others; replaces the whole list')
    .argument('<key>', 'the id of a secret key')
    .argument('<addresses...>', 'IPv4 or IPv6 addresses or CIDR ranges, at most 100')
    .addHelpText('after', examples(`whitelist set ${KEY} 102.89.23.17 10.0.0.0/8 2001:db8::/32`))
    .action((id: string, entries: string[], _options: unknown, command: Command) =>
      run(
        command,
        (stage) => set(stage, id, entries),
        (stage) => question(stage, id, entries),
      ),
    );
  group
    .command('show')
    .description('the addresses that may use a key')
    .argument('<key>', 'its id')
    .addHelpText('after', examples(`whitelist show ${KEY}`))
    .action((id: string, _options: unknown, command: Command) =>
      run(command, async (stage) => answer(await findKey(stage, id))),
    );
  group
    .command('clear')
    .description('allows every address again')
    .argument('<key>', 'the id of a secret key')
    .addHelpText('after', examples(`whitelist clear ${KEY}`))
    .action((id: string, _options: unknown, command: Command) =>
      run(
        command,
        (stage) => set(stage, id, []),
        (stage) => question(stage, id, []),
      ),
    );
};
