import { forBusiness, type Me, type Member, type Role } from '#shared/pages/dashboard/client/api.ts';
import { Act, Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'viewer: reads everything but the audit log'],
  ['developer', 'developer: also keys, webhooks, checkouts, accounts and the profile'],
  ['owner', 'owner: also the team'],
];

const RoleField = ({ of, value }: { of: string; value: Role }) => (
  <Field label="Role" name="role" of={of}>
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
  readonly of: Member;
  readonly onDone: () => void;
}

interface DangerProps {
  readonly label: string;
  readonly work: () => Promise<unknown>;
  readonly onDone: () => void;
}

const Danger = ({ label, work, onDone }: DangerProps) => (
  <Act
    label={label}
    isDanger
    work={async () => {
      await work();
      onDone();
    }}
  />
);

const Changes = ({ place, of, onDone }: ChangeProps) => (
  <div class="disclosures">
    <details>
      <summary>Role</summary>
      <Form
        submit="Change the role"
        onSubmit={async (fields) => {
          await forBusiness(place).changeRole(of.id, fields.get('role') as Role);
          onDone();
        }}
      >
        <RoleField of={of.id} value={of.role} />
      </Form>
    </details>
    <details>
      <summary>Reset passkeys</summary>
      <p>
        For a member who lost every passkey. The sessions end, and the next passkey waits a day for live mode. Make sure
        first who asks you.
      </p>
      <Danger label="Reset the passkeys" work={() => forBusiness(place).resetPasskeys(of.id)} onDone={onDone} />
    </details>
    <details>
      <summary>Remove</summary>
      <p>{of.email} can do nothing here from the next request on.</p>
      <Danger label={`Remove ${of.email}`} work={() => forBusiness(place).removeMember(of.id)} onDone={onDone} />
    </details>
  </div>
);

/** Who may sign in to the business. */
export const Team = ({ place, me, isOwner }: { place: Place; me: Me; isOwner: boolean }) => {
  const loading = useLoaded(`members ${place.businessId}`, () => forBusiness(place).members(), { fresh: true });
  return (
    <>
      <h1>Team</h1>
      {isOwner && me.passkeys.length === 0 && (
        <p class="warning">
          Members are changed with a passkey. <a href={urlOf(place, 'account')}>Add one first.</a>
        </p>
      )}
      {isOwner ? (
        <Form
          submit="Invite"
          onSubmit={async (fields) => {
            await forBusiness(place).invite(String(fields.get('email')), fields.get('role') as Role);
            loading.reload();
          }}
        >
          <Field
            label="Invite somebody"
            name="email"
            of="new"
            hint={`The owners are mailed, and so is the address. Tell them to sign in at ${location.origin}/dashboard.`}
          >
            {(control) => <input {...control} type="email" required autocomplete="off" />}
          </Field>
          <RoleField of="new" value="viewer" />
        </Form>
      ) : (
        <p class="quiet">Owners invite and remove members.</p>
      )}
      <Loaded of={loading}>
        {({ members }) => (
          <ul class="plain">
            {members.map((one) => (
              <li key={`${one.id} ${one.role}`} class="card">
                <h2>
                  {one.email} <Badge of={one.role} />
                </h2>
                <p class="quiet">
                  Since <Time at={one.added_at} />
                  {one.id === me.user.id && '. This is you'}
                </p>
                {isOwner && <Changes place={place} of={one} onDone={loading.reload} />}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};
