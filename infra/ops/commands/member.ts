import { type Command, Option } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { businessOption } from '#infra/ops/options.ts';
import { type Answer, examples, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { findMember } from '#shared/businesses/domain/members.ts';
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

const membersView = ({ members }: Business) => ({
  members: members.map(({ email, role: memberRole, addedAt }) => ({
    email,
    role: memberRole,
    added_at: isoMicros(addedAt),
  })),
});

const membersTable = ({ members }: Business): string =>
  listing(
    ['EMAIL', 'ROLE', 'ADDED'],
    members.map(({ email, role: memberRole, addedAt }) => [email, memberRole, isoMicros(addedAt)]),
    'This business has no members yet.',
  );

const toAnswer = (business: Business): Answer => ({ json: membersView(business), text: membersTable(business) });

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

/** Reads a member's passkeys. @throws ApiError for an unknown business or member. */
const readPasskeys = async (
  stage: Stage,
  { business, email }: { readonly business: string; readonly email: string },
): Promise<Pick<User, 'passkeys'>> => {
  const { userId } = findMember(await findBusiness(stage, business), deriveUserId(email));
  return (await stage.users.find(userId)) ?? { passkeys: [] };
};

interface MemberOptions {
  readonly business: string;
  readonly role: Role;
}

/** `member invite | list | role | remove | passkeys | confirm-passkey | reset-passkeys`. */
export const addMemberCommands = (program: Command, run: Run): void => {
  const group = program
    .command('member')
    .description('manages the people who may sign in to the dashboard of a business');
  group.addHelpText('after', examples(`member invite ${EMAIL} --business ${BUSINESS} --role owner`));
  group
    .command('invite')
    .description('lets a person sign in with codes that are sent to an e-mail address')
    .argument('<email>', 'the e-mail address of the member')
    .addOption(businessOption())
    .addOption(roleOption())
    .addHelpText('after', examples(`member invite ${EMAIL} --business ${BUSINESS} --role owner`))
    .action((email: string, { business, role: newRole }: MemberOptions, command: Command) =>
      run(command, async (stage) =>
        toAnswer(
          await inviteMember(stage, { businessId: business, email, role: newRole, actor: await stage.operator() }),
        ),
      ),
    );
  group
    .command('list')
    .description('lists the members of a business, in the order in which they were added')
    .addOption(businessOption())
    .addHelpText('after', examples(`member list --business ${BUSINESS}`))
    .action(({ business }: MemberOptions, command: Command) =>
      run(command, async (stage) => toAnswer(await findBusiness(stage, business))),
    );
  group
    .command('role')
    .description('gives a member another role')
    .argument('<email>', 'the e-mail address of the member')
    .addOption(businessOption())
    .addOption(roleOption())
    .addHelpText('after', examples(`member role ${EMAIL} --business ${BUSINESS} --role developer`))
    .action((email: string, { business, role: newRole }: MemberOptions, command: Command) =>
      run(command, async (stage) =>
        toAnswer(
          await changeRole(stage, {
            businessId: business,
            userId: deriveUserId(email),
            role: newRole,
            actor: await stage.operator(),
          }),
        ),
      ),
    );
  group
    .command('remove')
    .description("ends a member's access to the dashboard at once")
    .argument('<email>', 'the e-mail address of the member')
    .addOption(businessOption())
    .addHelpText('after', examples(`member remove ${EMAIL} --business ${BUSINESS}`))
    .action((email: string, { business }: MemberOptions, command: Command) =>
      run(
        command,
        async (stage: Stage) =>
          toAnswer(
            await endMembership(stage, {
              businessId: business,
              userId: deriveUserId(email),
              actor: await stage.operator(),
            }),
          ),
        async () => `remove ${email} from the dashboard of business ${business}?`,
      ),
    );
  group
    .command('passkeys')
    .description('lists the passkeys of a member')
    .argument('<email>', 'the e-mail address of the member')
    .addOption(businessOption())
    .addHelpText('after', examples(`member passkeys ${EMAIL} --business ${BUSINESS}`))
    .action((email: string, { business }: MemberOptions, command: Command) =>
      run(command, async (stage) => renderPasskeys(await readPasskeys(stage, { business, email }))),
    );
  group
    .command('confirm-passkey')
    .description('lets a new passkey make live changes at once; first make sure that it belongs to the member')
    .argument('<email>', 'the e-mail address of the member')
    .argument('<passkey>', 'the id of the passkey, as "member passkeys" shows it')
    .addOption(businessOption())
    .addHelpText('after', examples(`member confirm-passkey ${EMAIL} ${PASSKEY} --business ${BUSINESS}`))
    .action((email: string, passkeyId: string, { business }: MemberOptions, command: Command) =>
      run(command, async (stage) => {
        const userId = deriveUserId(email);
        await confirmPasskey(stage, { businessId: business, userId, passkeyId, actor: await stage.operator() });
        return renderPasskeys(await readPasskeys(stage, { business, email }));
      }),
    );
  group
    .command('reset-passkeys')
    .description('removes all passkeys of a member who lost them, and signs the member out everywhere')
    .argument('<email>', 'the e-mail address of the member')
    .addOption(businessOption())
    .addHelpText('after', examples(`member reset-passkeys ${EMAIL} --business ${BUSINESS}`))
    .action((email: string, { business }: MemberOptions, command: Command) =>
      run(
        command,
        async (stage: Stage) =>
          toAnswer(
            await resetPasskeys(stage, {
              businessId: business,
              userId: deriveUserId(email),
              actor: await stage.operator(),
            }),
          ),
        async () => `remove every passkey of ${email}, and sign the member out everywhere?`,
      ),
    );
};
