import { type Demo, demoKey } from '#infra/local/data/demo.ts';

/** A step of the tour, and its command for bash or zsh. */
export interface TourStep {
  readonly title: string;
  readonly command: string;
}

/** Joins steps into one block to paste. Each step prints its title first, in single quotes, so no title may have a single quote. */
export const joinSteps = (steps: readonly TourStep[]): string =>
  steps.map(({ title, command }) => `echo; echo '# ${title}'\n${command}`).join('\n\n');

/** Makes the step that sets the shell variables of the other commands. */
const makeVariablesStep = (baseUrl: string, key: string): TourStep => ({
  title: 'Set the address of the API and the key of the demo business',
  command: `URL=${baseUrl} KEY=${key}`,
});

const OPEN_ACCOUNTS: TourStep = {
  title: 'Create virtual accounts at two banks',
  command: `curl -sS "$URL/api/v1/virtual-accounts" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"customer_name": "Adaeze Okafor", "customer_phone": "+2348031234567", "customer_email": "adaeze.okafor@example.com", "banks": ["paystack", "monnify"]}'; echo`,
};

const START_CHECKOUT: TourStep = {
  title: 'Start a checkout for 8,500.75 naira and remember its reference',
  command: `CHECKOUT=$(curl -sS "$URL/api/v1/checkout/initialize" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"amount": 8500.75, "payer_email": "tunde.bakare@example.com", "payer_name": "Tunde Bakare"}')
echo "$CHECKOUT"; REF=$(echo "$CHECKOUT" | sed -n 's/.*"reference":"\\(PAY-[0-9A-Z]*\\)".*/\\1/p')`,
};

const PAY_CHECKOUT: readonly TourStep[] = [
  START_CHECKOUT,
  {
    title: 'Simulate the bank transfer that pays it. The webhook arrives in the inbox',
    command: `curl -sS "$URL/api/v1/checkout/sandbox/simulate" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d "{\\"reference\\": \\"$REF\\"}"; echo`,
  },
];

/** Makes the step of a transfer at the provider simulator. The simulator notifies the service with a signed request, as a provider does. */
const makeTransferStep = (payUrl: string): TourStep => ({
  title: 'Transfer the money to the account of the checkout at the provider simulator',
  command: `NUMBER=$(echo "$CHECKOUT" | sed -n 's/.*"account_number":"\\([0-9]*\\)".*/\\1/p')
curl -sS ${payUrl} -H 'Content-Type: application/json' -d "{\\"account_number\\": \\"$NUMBER\\", \\"amount\\": 8500.75}"; echo; sleep 1`,
});

const VERIFY: TourStep = {
  title: 'Verify the checkout',
  command: `curl -sS "$URL/api/v1/checkout/verify/$REF" -H "Authorization: Bearer $KEY"; echo`,
};

/** Lists the steps of a first tour. */
export const tour = (baseUrl: string, demo: Pick<Demo, 'keys'>): TourStep[] => [
  makeVariablesStep(baseUrl, demoKey(demo, 'secret')),
  OPEN_ACCOUNTS,
  ...PAY_CHECKOUT,
  VERIFY,
];

/** Lists the steps of a tour in live mode, with the provider simulator at `payUrl`. */
export const liveTour = (baseUrl: string, demo: Demo, payUrl: string): TourStep[] => [
  makeVariablesStep(baseUrl, demoKey(demo, 'secret', 'live')),
  START_CHECKOUT,
  makeTransferStep(payUrl),
  VERIFY,
];

const quote = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** Makes the commands that pay a checkout, for the inbox page. They read the key from a file, because everybody who reaches the port can see the page. */
export const howToPay = (baseUrl: string, demoPath: string): string => {
  const key = `$(sed -n 's/.*"\\(sk_test_[^"]*\\)".*/\\1/p' ${quote(demoPath)})`;
  return [makeVariablesStep(baseUrl, key), ...PAY_CHECKOUT].map(({ command }) => command).join('\n\n');
};
