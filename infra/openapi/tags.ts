/** The chapters of the document, in their order. */
export const TAGS = [
  {
    name: 'Checkout',
    description: 'One payment by bank transfer: an account number that is made for it, and the state of its money.',
  },
  {
    name: 'Virtual accounts',
    description: 'Bank account numbers that belong to your customers and take any number of transfers.',
  },
  {
    name: 'Payments',
    description: 'All money that landed, whatever it landed on: searched, exported, and summed by day.',
  },
  { name: 'Webhook endpoints', description: 'Where your webhooks go, and the secrets that sign them.' },
  {
    name: 'Events',
    description: 'Everything that happened in the last 90 days, and what became of its webhooks.',
  },
  { name: 'Providers', description: 'The companies that issue the account numbers, and whether money lands there.' },
  {
    name: 'Webhooks',
    description:
      'What we POST to your endpoints. Verify the signature before you believe a word: see *Verifying webhooks*. Whatever you answer with a 2xx within 15 seconds counts as received.',
  },
  { name: 'Service', description: 'What needs no API key.' },
] as const;

/** The name of a chapter. */
export type TagName = (typeof TAGS)[number]['name'];
