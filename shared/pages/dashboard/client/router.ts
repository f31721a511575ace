import { computed, signal } from '@preact/signals';

/* Maps URLs to screens. The URL holds everything that chooses a screen's content, so that a link, a reload and the Back button work. */

export type Mode = 'test' | 'live';

/** A screen of a business in a mode. */
export interface Place {
  readonly businessId: string;
  readonly mode: Mode;
  readonly screen: string;
  /** The id of the object on the screen, such as a checkout's reference. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

const address = signal(new URL(location.href));
addEventListener('popstate', () => {
  address.value = new URL(location.href);
});

/** Decodes a part of a path. A part with a wrong encoding stays as it is. */
const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The place that the URL names; undefined for any other URL of the dashboard. */
export const place = computed((): Place | undefined => {
  const { pathname, searchParams: query } = address.value;
  const [, , businessId, mode, screen = 'overview', id] = pathname.split('/');
  if (!businessId || (mode !== 'test' && mode !== 'live')) return undefined;
  return { businessId, mode, screen, id: id === undefined ? undefined : decodePart(id), query };
});

/** Whether the URL leads to the dashboard without naming a business. */
export const isEntrance = (): boolean => /^\/dashboard\/?$/.test(address.value.pathname);

/** Writes the URL of a screen. */
export const formatUrl = (
  { businessId, mode }: Pick<Place, 'businessId' | 'mode'>,
  screen: string,
  id?: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  const search = entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
  return `/dashboard/${businessId}/${mode}/${screen}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search}`;
};

/** Goes to a URL of the dashboard. With `replace` the Back button skips the present URL; this is the default if the URL stays the same. */
export const go = (url: string, { replace = new URL(url, location.href).href === location.href } = {}): void => {
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  address.value = new URL(location.href);
};

/** Finds the link for a click: the clicked link, or the first link of the clicked row, unless the user selects text in the row. */
const findLink = (target: Element): HTMLAnchorElement | null => {
  const link = target.closest('a');
  if (link || target.closest('button, label, input, select, summary')) return link;
  if (getSelection()?.isCollapsed === false) return null;
  return target.closest('.list tr')?.querySelector('a') ?? null;
};

/** Makes links of the dashboard, and rows of its lists, change the screen without loading the page again. */
export const followLinks = (): void => {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || !(event.target instanceof Element)) return;
    const link = findLink(event.target);
    const isForBrowser = event.metaKey || event.ctrlKey || event.shiftKey;
    if (link && isForBrowser && !link.contains(event.target)) open(link.href, '_blank', 'noreferrer');
    if (isForBrowser || link?.target !== '' || link.origin !== location.origin) return;
    if (link.pathname !== '/dashboard' && !link.pathname.startsWith('/dashboard/')) return;
    event.preventDefault();
    go(link.href);
    scrollTo(0, 0);
    document.querySelector('main')?.focus({ preventScroll: true });
  });
};
