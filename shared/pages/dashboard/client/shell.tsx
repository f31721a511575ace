import type { ComponentChildren } from 'preact';
import { account, type Me } from './api.ts';
import { useAction } from './parts/action.tsx';
import { Secrets } from './parts/secret.tsx';
import { Time } from './parts/text.tsx';
import { go, type Mode, type Place, urlOf } from './router.ts';

export const SCREENS = [
  ['overview', 'Overview'],
  ['checkouts', 'Checkouts'],
  ['payments', 'Payments'],
  ['virtual-accounts', 'Virtual accounts'],
  ['events', 'Events'],
  ['webhooks', 'Webhooks'],
  ['keys', 'API keys'],
  ['business', 'Business'],
  ['team', 'Team'],
  ['audit-log', 'Audit log'],
  ['account', 'My account'],
] as const;
const MODES: readonly Mode[] = ['test', 'live'];

const Business = ({ place, me }: { place: Place; me: Me }) => {
  const own = me.businesses.find(({ id }) => id === place.businessId);
  if (me.businesses.length === 1) return <strong>{own?.name}</strong>;
  return (
    <label>
      <span class="hidden">Business</span>
      <select
        value={place.businessId}
        onChange={({ currentTarget }) => go(urlOf({ businessId: currentTarget.value, mode: place.mode }, place.screen))}
      >
        {me.businesses.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};

/** Leads to what is typed, whatever it is. */
const Search = ({ place }: { place: Place }) => (
  <search>
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        const q = String(new FormData(event.currentTarget).get('q')).trim();
        if (q !== '') go(urlOf(place, 'find', undefined, { q }));
      }}
    >
      <label class="hidden" for="find">
        Find a reference, an order, an e-mail address or an id
      </label>
      <input
        id="find"
        name="q"
        type="search"
        placeholder="PAY-…, order, e-mail, id"
        defaultValue={place.query.get('q') ?? ''}
      />
      <button type="submit">Find</button>
    </form>
  </search>
);

/** That money is real here, and why nothing can be changed if nothing can. */
const LiveBar = ({ place, me: { passkeys, session } }: { place: Place; me: Me }) => {
  if (passkeys.length === 0) {
    return (
      <div class="live-bar">
        Live mode: money is real. It is read-only until you <a href={urlOf(place, 'account')}>add a passkey</a>, and for
        a day after that.
      </div>
    );
  }
  const first = passkeys.map(({ live_from }) => live_from).sort()[0] ?? '';
  if (session.may_change_live || first <= new Date().toISOString()) {
    return <div class="live-bar">Live mode: money is real.</div>;
  }
  return (
    <div class="live-bar">
      Live mode: money is real. It is read-only until <Time at={first} />, a day after your passkey was added.
      Operations can confirm it earlier.
    </div>
  );
};

/** What is around every screen: where one is, and where one can go. */
export const Shell = ({ place, me, children }: { place: Place; me: Me; children: ComponentChildren }) => {
  const { isBusy, run } = useAction();
  const { mode, screen } = place;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        {mode === 'test' && <div class="test-bar">Test mode: no money moves.</div>}
        {mode === 'live' && <LiveBar place={place} me={me} />}
        <div class="top">
          <Business place={place} me={me} />
          <nav aria-label="Mode" class="modes">
            {MODES.map((one) => (
              <a
                key={one}
                href={urlOf({ ...place, mode: one }, screen)}
                aria-current={one === mode ? 'true' : undefined}
              >
                {one}
              </a>
            ))}
          </nav>
          <Search key={`${place.businessId} ${place.mode}`} place={place} />
          <span class="who">
            <span class="quiet">{me.user.email}</span>
            <button type="button" aria-disabled={isBusy} onClick={() => void run(account.signOut)}>
              Sign out
            </button>
          </span>
        </div>
      </header>
      <div class="columns">
        <nav aria-label="Screens" class="screens">
          {SCREENS.map(([name, title]) => (
            <a key={name} href={urlOf(place, name)} aria-current={name === screen ? 'page' : undefined}>
              {title}
            </a>
          ))}
          <a href="/docs" target="_blank" rel="noreferrer">
            API documents
          </a>
        </nav>
        <main id="main" tabIndex={-1}>
          <Secrets />
          {children}
        </main>
      </div>
    </>
  );
};
