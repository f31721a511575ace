import { effect } from '@preact/signals';
import { render } from 'preact';
import { account, hasSessionEnded, type Me, me, type Role } from './api.ts';
import { ActionButton } from './parts/action.tsx';
import { Problem } from './parts/loaded.tsx';
import { followLinks, formatUrl, go, isEntrance, type Place, place } from './router.ts';
import { Account } from './screens/account.tsx';
import { AuditLog } from './screens/audit-log.tsx';
import { Business } from './screens/business.tsx';
import { Checkout } from './screens/checkout.tsx';
import { Checkouts } from './screens/checkouts.tsx';
import { EndpointDeliveries } from './screens/endpoint-deliveries.tsx';
import { Events, OneEvent } from './screens/events.tsx';
import { Find } from './screens/find.tsx';
import { Keys } from './screens/keys.tsx';
import { Overview } from './screens/overview.tsx';
import { Payment } from './screens/payment.tsx';
import { Payments } from './screens/payments.tsx';
import { SignIn, SignInAgain } from './screens/sign-in.tsx';
import { Team } from './screens/team.tsx';
import { VirtualAccount, VirtualAccounts } from './screens/virtual-accounts.tsx';
import { Webhooks } from './screens/webhooks.tsx';
import { findTitle, Shell } from './shell.tsx';
import { StepUp } from './step-up.tsx';

/* Starts the dashboard in the browser, and chooses the screen by the URL. */

/** Milliseconds between two signs of use that the service gets. A session becomes idle after half an hour. */
const STAY_SIGNED_IN_MS = 300_000;
/** Events that only a person causes. The lists' own refreshes must not keep the session of an unattended page alive. */
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchstart'];

/** Finds the member's role. In a suspended business everybody is a viewer. */
const findRole = ({ businesses }: Me, { businessId }: Place): Role => {
  const own = businesses.find(({ id }) => id === businessId);
  return own === undefined || own.suspended ? 'viewer' : own.role;
};

const isOwn = ({ businesses }: Me, { businessId }: Place): boolean => businesses.some(({ id }) => id === businessId);

/** Whether a member may change things in this place. In live mode only members with a passkey may; the service asks for it at the change. */
const mayChange = (member: Me, at: Place): boolean =>
  findRole(member, at) !== 'viewer' && (at.mode === 'test' || member.passkeys.length > 0);

const Screen = ({ at, member }: { at: Place; member: Me }) => {
  switch (at.screen) {
    case 'overview':
      return <Overview place={at} mayChange={mayChange(member, at)} />;
    case 'checkouts':
      return at.id === undefined ? (
        <Checkouts place={at} mayChange={mayChange(member, at)} />
      ) : (
        <Checkout place={at} reference={at.id} mayChange={mayChange(member, at)} />
      );
    case 'payments':
      return at.id === undefined ? (
        <Payments place={at} />
      ) : (
        <Payment place={at} id={at.id} mayChange={mayChange(member, at)} />
      );
    case 'virtual-accounts':
      return at.id === undefined ? (
        <VirtualAccounts place={at} mayChange={mayChange(member, at)} />
      ) : (
        <VirtualAccount place={at} id={at.id} mayChange={mayChange(member, at)} />
      );
    case 'events':
      return at.id === undefined ? (
        <Events place={at} />
      ) : (
        <OneEvent place={at} id={at.id} mayChange={mayChange(member, at)} />
      );
    case 'webhooks':
      return at.id === undefined ? (
        <Webhooks key={`${at.businessId} ${at.mode}`} place={at} mayChange={mayChange(member, at)} />
      ) : (
        <EndpointDeliveries place={at} id={at.id} mayChange={mayChange(member, at)} />
      );
    case 'find':
      return <Find place={at} />;
    case 'keys':
      return <Keys key={`${at.businessId} ${at.mode}`} place={at} mayChange={mayChange(member, at)} />;
    case 'business':
      return <Business key={at.businessId} place={at} mayChange={findRole(member, at) !== 'viewer'} />;
    case 'team':
      return <Team place={at} me={member} isOwner={findRole(member, at) === 'owner'} />;
    case 'account':
      return <Account me={member} />;
    case 'audit-log':
      return <AuditLog place={at} />;
    default:
      return (
        <>
          <h1>There is no such screen</h1>
          <p>
            The dashboard has no screen at this address. <a href={formatUrl(at, 'overview')}>Go to the overview</a>, or
            use the search box above.
          </p>
        </>
      );
  }
};

/** Shows that a URL leads nowhere, or to a business of which the user is not a member. It never opens another business instead. */
const Elsewhere = ({ at, member }: { at: Place | undefined; member: Me }) => (
  <main class="narrow" tabIndex={-1}>
    <h1>{at ? 'You are not a member of this business' : 'There is no such page'}</h1>
    <p>
      You are signed in as <strong>{member.user.email}</strong>.{' '}
      {at
        ? 'This link leads to a business that you are not a member of. Ask one of its owners to invite you, or sign in with another e-mail address.'
        : 'The dashboard has no page at this address. Choose a business below.'}
    </p>
    <h2>{member.businesses.length === 1 ? 'Your business' : 'Your businesses'}</h2>
    <ul class="plain">
      {member.businesses.map(({ id, name }) => (
        <li key={id}>
          <a href={formatUrl({ businessId: id, mode: 'test' }, 'overview')}>{name}</a>
        </li>
      ))}
    </ul>
    <p class="other-way">
      <ActionButton label="Sign out" work={account.signOut} />
    </p>
  </main>
);

const App = () => {
  const [member, at] = [me.value, place.value];
  if (member === undefined) return <main class="narrow loading">Loading…</main>;
  if (member === null) return <SignIn />;
  const [first] = member.businesses;
  if (!first) {
    return (
      <main class="narrow">
        <p>
          {member.user.email} is no longer a member of any business. Ask an owner of the business to invite you again.
        </p>
      </main>
    );
  }
  if (isEntrance()) return null;
  if (!at || !isOwn(member, at)) return <Elsewhere at={at} member={member} />;
  return (
    <Shell place={at} me={member}>
      <Screen at={at} member={member} />
      <StepUp use={account.usePasskey} />
      <SignInAgain email={member.user.email} />
    </Shell>
  );
};

/** Opens the member's first business if the URL names none. */
effect(() => {
  const [first] = me.value?.businesses ?? [];
  if (first && isEntrance()) {
    go(formatUrl({ businessId: first.id, mode: 'test' }, 'overview'), { replace: true });
  }
});

/** Sets a title that tells the browser's tabs and history entries apart. */
effect(() => {
  const [member, at] = [me.value, place.value];
  const own = member?.businesses.find(({ id }) => id === at?.businessId);
  const title = at && findTitle(at.screen);
  document.title = own && title ? `${at.id ?? title} – ${own.name} (${at.mode})` : 'Payments dashboard';
});

followLinks();
const root = document.body;
render(<App />, root);
account.refresh().catch((error: unknown) =>
  render(
    <main class="narrow">
      <h1>Payments</h1>
      <Problem error={error} />
    </main>,
    root,
  ),
);
let isUsed = false;
for (const sign of SIGNS_OF_USE) {
  addEventListener(sign, () => (isUsed = true), { capture: true, passive: true });
}
setInterval(() => {
  if (me.value && isUsed && !hasSessionEnded.value) account.refresh().catch(() => {});
  isUsed = false;
}, STAY_SIGNED_IN_MS);
