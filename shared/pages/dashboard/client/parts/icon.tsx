/* The icons of the dashboard: lines on a square of 24 by 24. */

const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13M15.5 15.5L20 20',
  filter: 'M4 6h16M7 12h10M10 18h4',
  good: 'M5 12.5l4.5 4.5L19 7.5',
  waits: 'M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16M12 8v4.5l3 2',
  bad: 'M12 5v9M12 18v.5',
  overview: 'M4 20V11M10 20V4M16 20v-6M21 20H3',
  checkouts: 'M5 7h14l-1.2 13H6.2zM9 10V6.5a3 3 0 0 1 6 0V10',
  payments: 'M12 4v12M7 11.5l5 5l5-5M4 20h16',
  'virtual-accounts': 'M4 10l8-5.5L20 10zM6.5 10v7M12 10v7M17.5 10v7M4 20h16',
  webhooks: 'M9 8L4 12l5 4M15 8l5 4l-5 4',
  events: 'M12 4v3M12 17v3M4 12h3M17 12h3M12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5',
  keys: 'M8 11a4 4 0 1 0 0 8a4 4 0 0 0 0-8M11 12l8-8M16 7l3 3',
  docs: 'M6 4h8l4 4v12H6zM14 4v4h4M9 12h6M9 16h6',
  business: 'M4 9l1.5-5h13L20 9v1H4zM5.5 10v10h13V10M10 20v-5h4v5',
  team: 'M9 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6M3 19c0-3.5 2.5-5 6-5s6 1.5 6 5M16 5.5a3 3 0 0 1 0 5.5M17.5 14.5c2.5.5 3.5 2 3.5 4.5',
  'audit-log': 'M9 6h11M9 12h11M9 18h11M4.5 6h.1M4.5 12h.1M4.5 18h.1',
  account: 'M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M5 20c0-4 3-5.5 7-5.5s7 1.5 7 5.5',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** Shows an icon beside a text. Screen readers skip it, because the text says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
