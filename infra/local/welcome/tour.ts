import { type Demo, demoKey } from '#infra/local/data/demo.ts';

/** Something to try, and the command for it in bash or zsh. */
export interface TourStep {
  readonly title: string;
  readonly command: string;
}

/** Steps as one block to paste: each says what it does before it runs. No title has a single quote. */
export const joinSteps = (steps: readonly TourStep[]): string =>
  steps.map(({ title, command }) => `echo; echo '# ${title}'\n${command}`).join('\n\n');

/** The shell variables that the other commands use. */
const variables = (baseUrl: string, key: string): TourStep => ({
  title: 'The address and the key of the demo business',
  command: `URL=${baseUrl} KEY=${key}`,
});

const openAccounts: TourStep = {
  title: 'Create virtual accounts at two banks',
  command: `curl -sS "$URL/api/v1/virtual-accounts" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"customer_name": "Adaeze Okafor", "customer_phone": "+2348031234567", "customer_email": "adaeze.okafor@example.com", "banks": ["paystack", "monnify"]}'; echo`,
};

const startCheckout: TourStep = {
  title: 'Start a checkout over 8,500.75 naira and keep its reference',
  command: `CHECKOUT=$(curl -sS "$URL/api/v1/checkout/initialize" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"amount": 8500.75, "payer_email": "tunde.bakare@example.com", "payer_name": "Tunde Bakare"}')
echo "$CHECKOUT"; REF=$(echo "$CHECKOUT" | sed -n 's/.*"reference":"\\(PAY-[0-9A-Z]*\\)".*/\\1/p')`,
};

const payCheckout: readonly TourStep[] = [
  startCheckout,
  {
    title: 'Pay it, as a bank transfer would. The webhook arrives in the inbox',
    command: `curl -sS "$URL/api/v1/checkout/sandbox/simulate" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d "{\\"reference\\": \\"$REF\\"}"; echo`,
  },
];

/** A transfer at the simulator, which notifies the service with a signed request as a provider does. */
const payAtSimulator = (payUrl: string): TourStep => ({
  title: 'Transfer the money to the account of the checkout, at the provider simulator',
  command: `NUMBER=$(echo "$CHECKOUT" | sed -n 's/.*"account_number":"\\([0-9]*\\)".*/\\1/p')
curl -sS ${payUrl} -H 'Content-Type: application/json' -d "{\\"account_number\\": \\"$NUMBER\\", \\"amount\\": 8500.75}"; echo; sleep 1`,
});

const verify: TourStep = {
  title: 'Ask for its status',
  command: `curl -sS "$URL/api/v1/checkout/verify/$REF" -H "Authorization: Bearer $KEY"; echo`,
};

/** The commands of a first tour, in order. */
export const tour = (baseUrl: string, demo: Pick<Demo, 'keys'>): TourStep[] => [
  variables(baseUrl, demoKey(demo, 'secret')),
  openAccounts,
  ...payCheckout,
  verify,
];

/** The same in live mode, with the provider simulator at `payUrl`. */
export const liveTour = (baseUrl: string, demo: Demo, payUrl: string): TourStep[] => [
  variables(baseUrl, demoKey(demo, 'secret', 'live')),
  startCheckout,
  payAtSimulator(payUrl),
  verify,
];

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** The commands that pay a checkout, for the inbox page: they read the key from its file, because anyone who reaches the port sees the page. */
export const howToPay = (baseUrl: string, demoPath: string): string => {
  const key = `$(sed -n 's/.*"\\(sk_test_[^"]*\\)".*/\\1/p' ${quoted(demoPath)})`;
  return [variables(baseUrl, key), ...payCheckout].map(({ command }) => command).join('\n\n');
};
