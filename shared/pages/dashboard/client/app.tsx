import { effect } from '@preact/signals';
import { render } from 'preact';
import { account, hasEnded, type Me, me, type Role } from './api.ts';
import { Act } from './parts/action.tsx';
import { Problem } from './parts/loaded.tsx';
import { followLinks, go, isEntrance, type Place, place, urlOf } from './router.ts';
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
import { Shell, titleOf } from './shell.tsx';
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
const mayChange = (who: Me, at: Place): boolean =>
  roleIn(who, at) !== 'viewer' && (at.mode === 'test' || who.passkeys.length > 0);

const Screen = ({ at, who }: { at: Place; who: Me }) => {
  switch (at.screen) {
    case 'overview':
      return <Overview place={at} mayChange={mayChange(who, at)} />;
    case 'checkouts':
      return at.id === undefined ? (
        <Checkouts place={at} mayChange={mayChange(who, at)} />
      ) : (
        <Checkout place={at} reference={at.id} mayChange={mayChange(who, at)} />
      );
    case 'payments':
      return at.id === undefined ? (
        <Payments place={at} />
      ) : (
        <Payment place={at} id={at.id} mayChange={mayChange(who, at)} />
      );
    case 'virtual-accounts':
      return at.id === undefined ? (
        <VirtualAccounts place={at} mayChange={mayChange(who, at)} />
      ) : (
        <VirtualAccount place={at} id={at.id} mayChange={mayChange(who, at)} />
      );
    case 'events':
      return at.id === undefined ? (
        <Events place={at} />
      ) : (
        <OneEvent place={at} id={at.id} mayChange={mayChange(who, at)} />
      );
    case 'webhooks':
      return at.id === undefined ? (
        <Webhooks key={`${at.businessId} ${at.mode}`} place={at} mayChange={mayChange(who, at)} />
      ) : (
        <EndpointDeliveries place={at} id={at.id} mayChange={mayChange(who, at)} />
      );
    case 'find':
      return <Find place={at} />;
    case 'keys':
      return <Keys key={`${at.businessId} ${at.mode}`} place={at} mayChange={mayChange(who, at)} />;
    case 'business':
      return <Business key={at.businessId} place={at} mayChange={roleIn(who, at) !== 'viewer'} />;
    case 'team':
      return <Team place={at} me={who} isOwner={roleIn(who, at) === 'owner'} />;
    case 'account':
      return <Account me={who} />;
    case 'audit-log':
      return <AuditLog place={at} />;
    default:
      return (
        <>
          <h1>There is no such screen</h1>
          <p>
            Nothing of the dashboard has this address. <a href={urlOf(at, 'overview')}>Go to the overview</a>, or find
            what you look for above.
          </p>
        </>
      );
  }
};

/** For an address of no screen, or of a business that one is not a member of: nothing of another business is opened in its place. */
const Elsewhere = ({ at, who }: { at: Place | undefined; who: Me }) => (
  <main class="narrow" tabIndex={-1}>
    <h1>{at ? 'You are not a member of this business' : 'There is no such page'}</h1>
    <p>
      You are signed in as <strong>{who.user.email}</strong>.{' '}
      {at
        ? 'You are not a member of the business of this link. Ask one of its owners to invite you, or sign in with another address.'
        : 'Nothing of the dashboard has this address.'}
    </p>
    <h2>{who.businesses.length === 1 ? 'Your business' : 'Your businesses'}</h2>
    <ul class="plain">
      {who.businesses.map(({ id, name }) => (
        <li key={id}>
          <a href={urlOf({ businessId: id, mode: 'test' }, 'overview')}>{name}</a>
        </li>
      ))}
    </ul>
    <p class="other-way">
      <Act label="Sign out" work={account.signOut} />
    </p>
  </main>
);

const App = () => {
  const [who, at] = [me.value, place.value];
  if (who === undefined) return <main class="narrow loading">Loading…</main>;
  if (who === null) return <SignIn />;
  const [first] = who.businesses;
  if (!first) {
    return (
      <main class="narrow">
        <p>{who.user.email} is a member of no business any more. Ask whoever invited you.</p>
      </main>
    );
  }
  if (isEntrance()) return null;
  if (!at || !isOwn(who, at)) return <Elsewhere at={at} who={who} />;
  return (
    <Shell place={at} me={who}>
      <Screen at={at} who={who} />
      <StepUp use={account.usePasskey} />
      <SignInAgain email={who.user.email} />
    </Shell>
  );
};

/** Whoever comes without naming a business sees the first of theirs. */
effect(() => {
  const [first] = me.value?.businesses ?? [];
  if (first && isEntrance()) {
    go(urlOf({ businessId: first.id, mode: 'test' }, 'overview'), { replace: true });
  }
});

/** Tells tabs and the history of a browser apart. */
effect(() => {
  const [who, at] = [me.value, place.value];
  const own = who?.businesses.find(({ id }) => id === at?.businessId);
  const title = at && titleOf(at.screen);
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
  if (me.value && isUsed && !hasEnded.value) account.refresh().catch(() => {});
  isUsed = false;
}, STAY_SIGNED_IN_MS);
