import { computed, signal } from '@preact/signals';

/* Where somebody is: everything that a screen shows is in the URL, so that it can be opened again, sent on and gone back to. */

export type Mode = 'test' | 'live';

/** A screen of a business in a mode. */
export interface Place {
  readonly businessId: string;
  readonly mode: Mode;
  readonly screen: string;
  /** What the screen is about, such as a checkout's reference. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

const address = signal(new URL(location.href));
addEventListener('popstate', () => {
  address.value = new URL(location.href);
});

/** The place that the URL names; undefined for any other URL of the dashboard. */
export const place = computed((): Place | undefined => {
  const { pathname, searchParams: query } = address.value;
  const [, , businessId, mode, screen = 'overview', id] = pathname.split('/');
  if (!businessId || (mode !== 'test' && mode !== 'live')) return undefined;
  return { businessId, mode, screen, id: id === undefined ? undefined : decodeURIComponent(id), query };
});

/** The URL of a screen. */
export const urlOf = (
  { businessId, mode }: Pick<Place, 'businessId' | 'mode'>,
  screen: string,
  id?: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const kept = Object.entries(query).filter(([, value]) => value !== '');
  const search = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  return `/dashboard/${businessId}/${mode}/${screen}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search}`;
};

/** Goes to a URL of the dashboard. `replace`: without a step to go back to, as for each letter of a filter. */
export const go = (url: string, { replace = false } = {}): void => {
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  address.value = new URL(location.href);
};

/** Lets links of the dashboard change the screen in place of loading the page again. */
export const followLinks = (): void => {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.target !== '' || link.origin !== location.origin) return;
    if (link.pathname !== '/dashboard' && !link.pathname.startsWith('/dashboard/')) return;
    event.preventDefault();
    go(link.href);
    scrollTo(0, 0);
    document.querySelector('main')?.focus({ preventScroll: true });
  });
};
