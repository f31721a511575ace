import { forBusiness, type Me, type Member, type Role } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton, Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { PasskeyFirst } from '#shared/pages/dashboard/client/parts/passkey-first.tsx';
import { Badge, humanize, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: sees everything but the audit log'],
  ['developer', 'Developer: can also change keys, webhooks, checkouts, accounts and the profile'],
  ['owner', 'Owner: can also change the team, and gets mails about security'],
];

const RoleField = ({ formId, value }: { formId: string; value: Role }) => (
  <Field label="Role" name="role" formId={formId}>
    {(control) => (
      <select {...control}>
        {ROLES.map(([role, words]) => (
          <option key={role} value={role} selected={role === value}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface ChangeProps {
  readonly place: Place;
  readonly member: Member;
  readonly onDone: () => void;
}

interface DangerProps {
  readonly label: string;
  readonly work: () => Promise<unknown>;
  readonly onDone: () => void;
}

const DangerButton = ({ label, work, onDone }: DangerProps) => (
  <ActionButton
    label={label}
    isDanger
    work={async () => {
      await work();
      onDone();
    }}
  />
);

const MemberChanges = ({ place, member, onDone }: ChangeProps) => (
  <div class="disclosures">
    <details>
      <summary>Role</summary>
      <Form
        submit="Change the role"
        onSubmit={async (fields) => {
          await forBusiness(place).changeRole(member.id, fields.get('role') as Role);
          onDone();
        }}
      >
        <RoleField formId={member.id} value={member.role} />
      </Form>
    </details>
    <details>
      <summary>Reset passkeys</summary>
      <p>
        Reset the passkeys of a member who lost all of them. {member.email} is then signed out everywhere, can sign in
        with a code and add a new passkey, and can change live mode with it a day later. First make sure that it is
        really them who ask you.
      </p>
      <DangerButton
        label="Reset the passkeys"
        work={() => forBusiness(place).resetPasskeys(member.id)}
        onDone={onDone}
      />
    </details>
    <details>
      <summary>Remove</summary>
      <p>{member.email} can then no longer see or do anything here. We mail them that you removed them.</p>
      <DangerButton
        label={`Remove ${member.email}`}
        work={() => forBusiness(place).removeMember(member.id)}
        onDone={onDone}
      />
    </details>
  </div>
);

/** The screen of the people who may sign in to the business. */
export const Team = ({ place, me, isOwner }: { place: Place; me: Me; isOwner: boolean }) => {
  const loading = useLoaded(`members ${place.businessId}`, () => forBusiness(place).members(), { fresh: true });
  return (
    <>
      <h1>Team</h1>
      {isOwner && <PasskeyFirst place={place} />}
      {isOwner ? (
        <>
          <h2>Invite somebody</h2>
          <Form
            submit="Invite"
            onSubmit={async (fields) => {
              const email = String(fields.get('email')).trim();
              await forBusiness(place).invite(email, fields.get('role') as Role);
              loading.reload();
              return (
                <p>
                  We invited {email} by mail. The mail says how to sign in at {location.origin}/dashboard.
                </p>
              );
            }}
          >
            <Field
              label="E-mail address"
              name="email"
              formId="new"
              hint="We mail them an invitation that says how to sign in. We mail the owners too."
            >
              {(control) => <input {...control} type="email" required autocomplete="off" />}
            </Field>
            <RoleField formId="new" value="viewer" />
          </Form>
        </>
      ) : (
        <p class="quiet">Only owners can invite and remove members.</p>
      )}
      <h2>Members</h2>
      <Loaded loading={loading}>
        {({ members }) => (
          <ul class="plain">
            {members.map((member) => (
              <li key={`${member.id} ${member.role}`} class="card">
                <h3>
                  {member.email} {member.id === me.user.id && <Badge state="you" />}
                </h3>
                <p class="quiet">
                  {humanize(member.role)}, member since <Time at={member.added_at} />
                </p>
                {isOwner && <MemberChanges place={place} member={member} onDone={loading.reload} />}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};
