import { effect } from '@preact/signals';
import { render } from 'preact';
import { account, hasSessionEnded, type Me, me, type Role } from './api.ts';
import { Act } from './parts/action.tsx';
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

/* The dashboard in a browser. */

/** Often enough that a session in use never becomes idle, which it does after half an hour. */
const STAY_SIGNED_IN_MS = 300_000;
/** What only a person does: a page that is left open asks for its lists by itself, and must become idle all the same. */
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchstart'];

/** Whoever may change a business, may only read it while it is suspended. */
const roleIn = ({ businesses }: Me, { businessId }: Place): Role => {
  const own = businesses.find(({ id }) => id === businessId);
  return own === undefined || own.suspended ? 'viewer' : own.role;
};

const isOwn = ({ businesses }: Me, { businessId }: Place): boolean => businesses.some(({ id }) => id === businessId);

/** Whether a role may change what a screen shows. In live mode a passkey is asked for once something is changed. */
const mayChange = (member: Me, at: Place): boolean =>
  roleIn(member, at) !== 'viewer' && (at.mode === 'test' || member.passkeys.length > 0);

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
      return <Business key={at.businessId} place={at} mayChange={roleIn(member, at) !== 'viewer'} />;
    case 'team':
      return <Team place={at} me={member} isOwner={roleIn(member, at) === 'owner'} />;
    case 'account':
      return <Account me={member} />;
    case 'audit-log':
      return <AuditLog place={at} />;
    default:
      return (
        <>
          <h1>There is no such screen</h1>
          <p>
            Nothing of the dashboard has this address. <a href={formatUrl(at, 'overview')}>Go to the overview</a>, or
            find what you look for above.
          </p>
        </>
      );
  }
};

/** For an address of no screen, or of a business that one is not a member of: nothing of another business is opened in its place. */
const Elsewhere = ({ at, member }: { at: Place | undefined; member: Me }) => (
  <main class="narrow" tabIndex={-1}>
    <h1>{at ? 'You are not a member of this business' : 'There is no such page'}</h1>
    <p>
      You are signed in as <strong>{member.user.email}</strong>.{' '}
      {at
        ? 'You are not a member of the business of this link. Ask one of its owners to invite you, or sign in with another address.'
        : 'Nothing of the dashboard has this address.'}
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
      <Act label="Sign out" work={account.signOut} />
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
        <p>{member.user.email} is a member of no business any more. Ask whoever invited you.</p>
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

/** Whoever comes without naming a business sees the first of theirs. */
effect(() => {
  const [first] = me.value?.businesses ?? [];
  if (first && isEntrance()) {
    go(formatUrl({ businessId: first.id, mode: 'test' }, 'overview'), { replace: true });
  }
});

/** Tells tabs and the history of a browser apart. */
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
