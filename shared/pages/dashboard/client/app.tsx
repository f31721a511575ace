import { effect } from '@preact/signals';
import { render } from 'preact';
import { account, hasEnded, type Me, me, type Role } from './api.ts';
import { Problem } from './parts/loaded.tsx';
import { followLinks, go, type Place, place, urlOf } from './router.ts';
import { Account } from './screens/account.tsx';
import { AuditLog } from './screens/audit-log.tsx';
import { Business } from './screens/business.tsx';
import { Checkout } from './screens/checkout.tsx';
import { Checkouts } from './screens/checkouts.tsx';
import { Events, OneEvent } from './screens/events.tsx';
import { Find } from './screens/find.tsx';
import { Keys } from './screens/keys.tsx';
import { Overview } from './screens/overview.tsx';
import { Payments } from './screens/payments.tsx';
import { SignIn, SignInAgain } from './screens/sign-in.tsx';
import { Team } from './screens/team.tsx';
import { VirtualAccount, VirtualAccounts } from './screens/virtual-accounts.tsx';
import { EndpointDeliveries, Webhooks } from './screens/webhooks.tsx';
import { Shell, titleOf } from './shell.tsx';
import { StepUp } from './step-up.tsx';

/* The dashboard in a browser. */

/** Often enough that a session in use never becomes idle, which it does after half an hour. */
const STAY_SIGNED_IN_MS = 300_000;
/** What only a person does: a page that is left open asks for its lists by itself, and must become idle all the same. */
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchstart'];

/** Whether a role may change what a screen shows. In live mode a passkey is asked for once something is changed. */
const mayChange = ({ businesses, passkeys }: Me, { businessId, mode }: Place): boolean => {
  const own = businesses.find(({ id }) => id === businessId);
  const hasRole = own !== undefined && own.role !== 'viewer' && !own.suspended;
  return hasRole && (mode === 'test' || passkeys.length > 0);
};

const roleIn = ({ businesses }: Me, { businessId }: Place): Role =>
  businesses.find(({ id }) => id === businessId)?.role ?? 'viewer';

const Screen = ({ at, who }: { at: Place; who: Me }) => {
  switch (at.screen) {
    case 'overview':
      return <Overview place={at} />;
    case 'checkouts':
      return at.id === undefined ? (
        <Checkouts place={at} mayChange={mayChange(who, at)} />
      ) : (
        <Checkout place={at} reference={at.id} mayChange={mayChange(who, at)} />
      );
    case 'payments':
      return <Payments place={at} />;
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
      return (
        <Business
          key={at.businessId}
          place={at}
          mayChange={roleIn(who, at) !== 'viewer'}
          hasPasskey={who.passkeys.length > 0}
        />
      );
    case 'team':
      return <Team place={at} me={who} isOwner={roleIn(who, at) === 'owner'} />;
    case 'account':
      return <Account me={who} />;
    case 'audit-log':
      return <AuditLog place={at} />;
    default:
      return <p class="empty">There is no such screen.</p>;
  }
};

const App = () => {
  const [who, at] = [me.value, place.value];
  if (who === undefined) return <main class="narrow quiet">Loading…</main>;
  if (who === null) return <SignIn />;
  const [first] = who.businesses;
  if (!first) {
    return (
      <main class="narrow">
        <p>{who.user.email} is a member of no business any more. Ask whoever invited you.</p>
      </main>
    );
  }
  if (!at || !who.businesses.some(({ id }) => id === at.businessId)) return null;
  return (
    <Shell place={at} me={who}>
      <Screen at={at} who={who} />
      <StepUp use={account.usePasskey} />
      <SignInAgain email={who.user.email} />
    </Shell>
  );
};

/** Whoever comes without naming a business, or one of others, sees the first of theirs. */
effect(() => {
  const [who, at] = [me.value, place.value];
  const [first] = who?.businesses ?? [];
  if (first && (!at || !who?.businesses.some(({ id }) => id === at.businessId))) {
    go(urlOf({ businessId: first.id, mode: 'test' }, 'overview'), { replace: true });
  }
});

/** Tells tabs and the history of a browser apart. */
effect(() => {
  const [who, at] = [me.value, place.value];
  const title = at && titleOf(at.screen);
  document.title = who && at && title ? `${at.id ?? title} (${at.mode}) – Payments` : 'Payments dashboard';
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
