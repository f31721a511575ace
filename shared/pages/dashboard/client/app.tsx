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

/** Milliseconds between two requests that tell the service that somebody uses the page. A session becomes idle after half an hour. */
const STAY_SIGNED_IN_MS = 300_000;
/** Events that only a person causes. The lists' own refreshes must not keep the session of an unattended page alive. */
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchstart'];

/** Finds the member's role. In a suspended business everybody is a viewer. */
const findRole = ({ businesses }: Me, { businessId }: Place): Role => {
  const business = businesses.find(({ id }) => id === businessId);
  return business === undefined || business.suspended ? 'viewer' : business.role;
};

const isMemberOf = ({ businesses }: Me, { businessId }: Place): boolean =>
  businesses.some(({ id }) => id === businessId);

/**
 * Whether a member may change things in this place. In live mode only members with a passkey may. The service asks for the passkey when
 * something is changed.
 */
const mayChange = (member: Me, target: Place): boolean =>
  findRole(member, target) !== 'viewer' && (target.mode === 'test' || member.passkeys.length > 0);

const Screen = ({ target, member }: { target: Place; member: Me }) => {
  switch (target.screen) {
    case 'overview':
      return <Overview place={target} mayChange={mayChange(member, target)} />;
    case 'checkouts':
      return target.id === undefined ? (
        <Checkouts place={target} mayChange={mayChange(member, target)} />
      ) : (
        <Checkout place={target} reference={target.id} mayChange={mayChange(member, target)} />
      );
    case 'payments':
      return target.id === undefined ? (
        <Payments place={target} />
      ) : (
        <Payment place={target} id={target.id} mayChange={mayChange(member, target)} />
      );
    case 'virtual-accounts':
      return target.id === undefined ? (
        <VirtualAccounts place={target} mayChange={mayChange(member, target)} />
      ) : (
        <VirtualAccount place={target} id={target.id} mayChange={mayChange(member, target)} />
      );
    case 'events':
      return target.id === undefined ? (
        <Events place={target} />
      ) : (
        <OneEvent place={target} id={target.id} mayChange={mayChange(member, target)} />
      );
    case 'webhooks':
      return target.id === undefined ? (
        <Webhooks key={`${target.businessId} ${target.mode}`} place={target} mayChange={mayChange(member, target)} />
      ) : (
        <EndpointDeliveries place={target} id={target.id} mayChange={mayChange(member, target)} />
      );
    case 'find':
      return <Find place={target} />;
    case 'keys':
      return <Keys key={`${target.businessId} ${target.mode}`} place={target} mayChange={mayChange(member, target)} />;
    case 'business':
      return <Business key={target.businessId} place={target} mayChange={findRole(member, target) !== 'viewer'} />;
    case 'team':
      return <Team place={target} me={member} isOwner={findRole(member, target) === 'owner'} />;
    case 'account':
      return <Account me={member} />;
    case 'audit-log':
      return <AuditLog place={target} />;
    default:
      return (
        <>
          <h1>There is no such screen</h1>
          <p>
            The dashboard has no screen at this address. <a href={formatUrl(target, 'overview')}>Go to the overview</a>,
            or use the search box above.
          </p>
        </>
      );
  }
};

/** Shows that a URL leads nowhere, or to a business of which the user is not a member. It never opens another business instead. */
const NoAccess = ({ target, member }: { target: Place | undefined; member: Me }) => (
  <main class="narrow" tabIndex={-1}>
    <h1>{target ? 'You are not a member of this business' : 'There is no such page'}</h1>
    <p>
      You are signed in as <strong>{member.user.email}</strong>.{' '}
      {target
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
  const [member, target] = [me.value, place.value];
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
  if (!target || !isMemberOf(member, target)) return <NoAccess target={target} member={member} />;
  return (
    <Shell place={target} me={member}>
      <Screen target={target} member={member} />
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
  const [member, target] = [me.value, place.value];
  const business = member?.businesses.find(({ id }) => id === target?.businessId);
  const title = target && findTitle(target.screen);
  document.title =
    business && title ? `${target.id ?? title} – ${business.name} (${target.mode})` : 'Payments dashboard';
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
