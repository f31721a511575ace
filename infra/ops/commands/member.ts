import { type Command, Option } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { businessOption } from '#infra/ops/options.ts';
import { type Answer, examples, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { memberWith } from '#shared/businesses/domain/members.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { passkeysView } from '#shared/members/contract/passkey-view.ts';
import { deriveUserId, type User } from '#shared/members/domain/user.ts';
import {
  changeRole,
  confirmPasskey,
  endMembership,
  inviteMember,
  resetPasskeys,
} from '#shared/members/use-cases/change-members.ts';
import { type Role, role } from '#shared/platform/kernel/role.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { BUSINESS } from './example-ids.ts';

const EMAIL = 'ada@ada-stores.example.com';
const PASSKEY = 'pky_01KDVDNX1Q7B3W9E5R2T8Y6U4C';

const roleOption = (): Option =>
  new Option('--role <role>', 'owner, developer or viewer').choices(role.options).makeOptionMandatory();

const view = ({ members }: Business) => ({
  members: members.map(({ email, role: own, addedAt }) => ({ email, role: own, added_at: isoMicros(addedAt) })),
});

const table = ({ members }: Business): string =>
  listing(
    ['EMAIL', 'ROLE', 'ADDED'],
    members.map(({ email, role: own, addedAt }) => [email, own, isoMicros(addedAt)]),
    'Nobody may sign in to its dashboard yet.',
  );

const answer = (business: Business): Answer => ({ json: view(business), text: table(business) });

const renderPasskeys = ({ passkeys }: Pick<User, 'passkeys'>): Answer => ({
  json: passkeysView({ passkeys }),
  text: listing(
    ['PASSKEY', 'NAME', 'ADDED', 'LAST USED', 'LIVE FROM'],
    passkeys.map(({ id, name, addedAt, lastUsedAt, liveFrom }) => [
      id,
      name,
      isoMicros(addedAt),
      lastUsedAt === null ? 'never' : isoMicros(lastUsedAt),
      isoMicros(liveFrom),
    ]),
    'This member has no passkey yet.',
  ),
});

/** The account of a member. @throws OperatorError for an unknown business or member. */
const memberUser = async (
  stage: Stage,
  { business, email }: { readonly business: string; readonly email: string },
): Promise<Pick<User, 'passkeys'>> => {
  const { userId } = memberWith(await findBusiness(stage, business), deriveUserId(email));
  return (await stage.users.find(userId)) ?? { passkeys: [] };
};

interface Chosen {
  readonly business: string;
  readonly role: Role;
}

/** `member invite | list | role | remove | passkeys | confirm-passkey | reset-passkeys`. */
export const addMemberCommands = (program: Command, run: Run): void => {
  const group = program.command('member').description('who may sign in to the dashboard of a business');
  group.addHelpText('after', examples(`member invite ${EMAIL} --business ${BUSINESS} --role owner`));
  group
    .command('invite')
    .description('lets a person sign in with codes that are mailed to the address')
    .argument('<email>', 'the address')
    .addOption(businessOption())
    .addOption(roleOption())
    .addHelpText('after', examples(`member invite ${EMAIL} --business ${BUSINESS} --role owner`))
    .action((email: string, { business, role: chosen }: Chosen, command: Command) =>
      run(command, async (stage) =>
        answer(await inviteMember(stage, { businessId: business, email, role: chosen, who: await stage.operator() })),
      ),
    );
  group
    .command('list')
    .description('the members of a business, in the order in which they were added')
    .addOption(businessOption())
    .addHelpText('after', examples(`member list --business ${BUSINESS}`))
    .action(({ business }: Chosen, command: Command) =>
      run(command, async (stage) => answer(await findBusiness(stage, business))),
    );
  group
    .command('role')
    .description('gives a member another role')
    .argument('<email>', 'the address')
    .addOption(businessOption())
    .addOption(roleOption())
    .addHelpText('after', examples(`member role ${EMAIL} --business ${BUSINESS} --role developer`))
    .action((email: string, { business, role: chosen }: Chosen, command: Command) =>
      run(command, async (stage) =>
        answer(
          await changeRole(stage, {
            businessId: business,
            userId: deriveUserId(email),
            role: chosen,
            who: await stage.operator(),
          }),
        ),
      ),
    );
  group
    .command('remove')
    .description('ends a membership with the next request')
    .argument('<email>', 'the address')
    .addOption(businessOption())
    .addHelpText('after', examples(`member remove ${EMAIL} --business ${BUSINESS}`))
    .action((email: string, { business }: Chosen, command: Command) =>
      run(
        command,
        async (stage: Stage) =>
          answer(
            await endMembership(stage, {
              businessId: business,
              userId: deriveUserId(email),
              who: await stage.operator(),
            }),
          ),
        async () => `take ${email} the access to the dashboard of business ${business}?`,
      ),
    );
  group
    .command('passkeys')
    .description('the passkeys of a member')
    .argument('<email>', 'the address')
    .addOption(businessOption())
    .addHelpText('after', examples(`member passkeys ${EMAIL} --business ${BUSINESS}`))
    .action((email: string, { business }: Chosen, command: Command) =>
      run(command, async (stage) => renderPasskeys(await memberUser(stage, { business, email }))),
    );
  group
    .command('confirm-passkey')
    .description('lets a passkey change live mode at once, when you have made sure whose it is')
    .argument('<email>', 'the address')
    .argument('<passkey>', 'its id, as `member passkeys` lists it')
    .addOption(businessOption())
    .addHelpText('after', examples(`member confirm-passkey ${EMAIL} ${PASSKEY} --business ${BUSINESS}`))
    .action((email: string, passkeyId: string, { business }: Chosen, command: Command) =>
      run(command, async (stage) => {
        const userId = deriveUserId(email);
        await confirmPasskey(stage, { businessId: business, userId, passkeyId, who: await stage.operator() });
        return renderPasskeys(await memberUser(stage, { business, email }));
      }),
    );
  group
    .command('reset-passkeys')
    .description('removes the passkeys of a member who lost them, and ends the sessions')
    .argument('<email>', 'the address')
    .addOption(businessOption())
    .addHelpText('after', examples(`member reset-passkeys ${EMAIL} --business ${BUSINESS}`))
    .action((email: string, { business }: Chosen, command: Command) =>
      run(
        command,
        async (stage: Stage) =>
          answer(
            await resetPasskeys(stage, {
              businessId: business,
              userId: deriveUserId(email),
              who: await stage.operator(),
            }),
          ),
        async () => `remove every passkey of ${email}, and end the sessions?`,
      ),
    );
};
