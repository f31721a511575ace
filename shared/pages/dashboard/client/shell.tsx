import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { account, type Me } from './api.ts';
import { useAction } from './parts/action.tsx';
import { Icon } from './parts/icon.tsx';
import { Secrets } from './parts/secret.tsx';
import { Time } from './parts/text.tsx';
import { isWide } from './parts/wide.ts';
import { formatUrl, go, type Mode, type Place } from './router.ts';

/** The groups of the navigation, with the name and the title of each screen. */
const GROUPS = [
  ['', [['overview', 'Overview']]],
  [
    'Money',
    [
      ['checkouts', 'Checkouts'],
      ['payments', 'Payments'],
      ['virtual-accounts', 'Virtual accounts'],
    ],
  ],
  [
    'Developers',
    [
      ['webhooks', 'Webhooks'],
      ['events', 'Events'],
      ['keys', 'API keys'],
    ],
  ],
  [
    'Business',
    [
      ['business', 'Profile'],
      ['team', 'Team'],
      ['audit-log', 'Audit log'],
    ],
  ],
  ['You', [['account', 'My account']]],
] as const;
/** Finds a screen's title. */
export const findTitle = (screen: string): string | undefined =>
  GROUPS.flatMap(([, screens]) => [...screens]).find(([name]) => name === screen)?.[1];
const MODES: readonly Mode[] = ['test', 'live'];

const Business = ({ place, me }: { place: Place; me: Me }) => {
  const own = me.businesses.find(({ id }) => id === place.businessId);
  if (me.businesses.length === 1) {
    return (
      <strong class="own" title={own?.name}>
        {own?.name}
      </strong>
    );
  }
  return (
    <label class="own" title={own?.name}>
      <span class="hidden">Business</span>
      <select
        value={place.businessId}
        onChange={({ currentTarget }) =>
          go(formatUrl({ businessId: currentTarget.value, mode: place.mode }, place.screen))
        }
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

/** Shows the search box. The `find` screen leads to the result. */
const Search = ({ place }: { place: Place }) => {
  const input = useRef<HTMLInputElement>(null);
  const text = place.query.get('q') ?? '';
  // The box becomes empty when the search has led to a screen.
  useEffect(() => {
    if (input.current) input.current.value = text;
  }, [text]);
  return (
    <search>
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          const q = String(new FormData(event.currentTarget).get('q')).trim();
          if (q !== '') go(formatUrl(place, 'find', undefined, { q }));
        }}
      >
        <label class="hidden" for="find">
          Find an order, an amount, a reference, an e-mail address or an id
        </label>
        <Icon name="search" />
        <input
          ref={input}
          id="find"
          name="q"
          type="search"
          enterkeyhint="search"
          placeholder="Order, amount, reference, e-mail"
        />
      </form>
    </search>
  );
};

/** Says that money is real in live mode. If the user may only read there, it also says why and until when. */
const LiveBar = ({ place, me: { passkeys, session } }: { place: Place; me: Me }) => {
  if (passkeys.length === 0) {
    return (
      <div class="live-bar">
        Live mode: money is real. It is read-only until you <a href={formatUrl(place, 'account')}>add a passkey</a>, and
        for a day after that.
      </div>
    );
  }
  const first = passkeys.map(({ live_from }) => live_from).sort()[0] ?? '';
  if (session.may_change_live || first <= new Date().toISOString()) {
    return <div class="live-bar">Live mode: money is real.</div>;
  }
  return (
    <div class="live-bar">
      Live mode: money is real. It is read-only until <Time at={first} />, a day after your passkey was added. The
      operators of this service can confirm it earlier.
    </div>
  );
};

/** Says that the business is suspended and whom to ask. The stage's contact is in a meta element of the page. */
const SuspendedBar = () => (
  <div class="suspended-bar">
    <strong>This business is suspended.</strong> Its keys do not work, no checkout can start, and nothing can be changed
    here. Money that still arrives is recorded. Ask{' '}
    {document.querySelector<HTMLMetaElement>('meta[name=contact]')?.content} to resume it.
  </div>
);

const MENU = 'screens';
const isMenuOpen = signal(false);

/** Shows the navigation. On a phone it is a menu that closes when a screen opens. */
const Screens = ({ place, me }: { place: Place; me: Me }) => {
  const { isBusy, run } = useAction();
  const nav = useRef<HTMLElement>(null);
  const url = formatUrl(place, place.screen, place.id);
  useEffect(() => {
    if (nav.current?.popover) nav.current.hidePopover();
  }, [url]);
  return (
    <nav
      ref={nav}
      id={MENU}
      aria-label="Screens"
      class="screens"
      popover={isWide.value ? undefined : 'auto'}
      onToggle={({ newState }) => (isMenuOpen.value = newState === 'open')}
    >
      {GROUPS.map(([group, screens]) => (
        <div key={group}>
          {group !== '' && <h2 id={`group-${group}`}>{group}</h2>}
          <ul aria-labelledby={group === '' ? undefined : `group-${group}`}>
            {screens.map(([name, title]) => (
              <li key={name}>
                <a href={formatUrl(place, name)} aria-current={name === place.screen ? 'page' : undefined}>
                  <Icon name={name} />
                  {title}
                </a>
              </li>
            ))}
            {group === 'Developers' && (
              <li>
                <a href="/docs" target="_blank" rel="noreferrer">
                  <Icon name="docs" />
                  API documents
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
      <div class="who">
        <p class="quiet">{me.user.email}</p>
        <button type="button" aria-disabled={isBusy} onClick={() => void run(account.signOut)}>
          Sign out
        </button>
      </div>
    </nav>
  );
};

/** Shows the head and the navigation around a screen. */
export const Shell = ({ place, me, children }: { place: Place; me: Me; children: ComponentChildren }) => {
  const { mode, screen } = place;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        {mode === 'test' && <div class="test-bar">Test mode: no money moves.</div>}
        {mode === 'live' && <LiveBar place={place} me={me} />}
        {me.businesses.some(({ id, suspended }) => id === place.businessId && suspended) && <SuspendedBar />}
        <div class="top">
          {!isWide.value && (
            <button type="button" class="menu" popovertarget={MENU} aria-expanded={isMenuOpen.value}>
              <Icon name="menu" />
              <span class="hidden">Menu</span>
            </button>
          )}
          <Business place={place} me={me} />
          <Search key={`${place.businessId} ${place.mode}`} place={place} />
          <nav aria-label="Mode" class="modes">
            {MODES.map((option) => (
              <a
                key={option}
                href={formatUrl({ ...place, mode: option }, screen)}
                aria-current={option === mode ? 'true' : undefined}
              >
                {option}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <div class="columns">
        <Screens key={isWide.value} place={place} me={me} />
        <main id="main" tabIndex={-1}>
          <Secrets />
          {children}
        </main>
      </div>
    </>
  );
};
