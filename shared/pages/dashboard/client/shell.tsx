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

/** The screens by name, with their titles, in the groups of the navigation. */
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
/** What a tab says of a screen. */
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

/** Leads to what is typed, whatever it is. */
const Search = ({ place }: { place: Place }) => {
  const input = useRef<HTMLInputElement>(null);
  const text = place.query.get('q') ?? '';
  // It is emptied once it led somewhere.
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

/** That money is real here, and why nothing can be changed if nothing can. */
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
      Live mode: money is real. It is read-only until <Time at={first} />, a day after your passkey was added.
      Operations can confirm it earlier.
    </div>
  );
};

/** Why nothing works, and who can help: the setting of the stage stands in the page. */
const SuspendedBar = () => (
  <div class="suspended-bar">
    <strong>This business is suspended.</strong> Its keys are refused, no checkout can start, and nothing can be changed
    here. Money that arrives all the same is recorded. Ask{' '}
    {document.querySelector<HTMLMetaElement>('meta[name=contact]')?.content} to resume it.
  </div>
);

const MENU = 'screens';
const isMenuOpen = signal(false);

/** Where one can go. On a phone it is a menu, which closes on the way to a screen. */
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

/** What is around every screen: where one is, and where one can go. */
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
