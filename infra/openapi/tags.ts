/** The groups of endpoints, in the order of the document. */
export const TAGS = [
  {
    name: 'Checkout',
    description: 'A checkout collects one payment by bank transfer. It has its own account number, and a status.',
  },
  {
    name: 'Virtual accounts',
    description: 'Bank account numbers that belong to your customers and take any number of transfers.',
  },
  {
    name: 'Payments',
    description: 'Search, export and sum by day all money that landed on checkouts and virtual accounts.',
  },
  { name: 'Webhook endpoints', description: 'The URLs that receive your webhooks, and the secrets that sign them.' },
  {
    name: 'Events',
    description: 'Everything that happened in the last 90 days, and the deliveries of its webhooks.',
  },
  { name: 'Providers', description: 'The companies that issue the account numbers, and whether they work now.' },
  {
    name: 'Webhooks',
    description:
      'We POST these to your endpoints. Verify the signature before you use a body: see *Verifying webhooks*. A 2xx within 15 seconds counts as received.',
  },
  { name: 'Service', description: 'Paths that need no API key.' },
] as const;

/** The name of a group. */
export type TagName = (typeof TAGS)[number]['name'];
