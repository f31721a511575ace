import type { Checkout } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton } from '#shared/pages/dashboard/client/parts/action.tsx';
import { humanize, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

/** Shows the accounts of a checkout: the current account, then the accounts that the payer was shown before. */
export const Accounts = ({ accounts }: Pick<Checkout, 'accounts'>) => (
  <>
    {accounts
      .toSorted((a, b) => Number(b.current) - Number(a.current))
      .map(({ provider, account_number, bank_name, expires_at, current }) => (
        <div key={account_number}>
          {account_number} {bank_name}, at {humanize(provider)}
          {accounts.length > 1 && (
            <>
              , {current ? 'current' : 'also counts'}, open until <Time at={expires_at} />
            </>
          )}
        </div>
      ))}
  </>
);

const isWaiting = ({ status, expires_at }: Checkout): boolean =>
  status === 'pending' && Date.parse(expires_at) > Date.now();

interface OtherAccountProps {
  readonly place: Place;
  readonly checkout: Checkout;
  readonly onDone: () => void;
}

/** Shows a button that opens another account, for example for a payer on the phone, while the checkout waits for money. */
export const OtherAccount = ({ place, checkout, onDone }: OtherAccountProps) => {
  const open = async () => {
    const { account_number, bank_name } = await createClient(place).checkouts.openAnotherAccount(checkout.reference);
    onDone();
    return `The payer can pay into ${account_number} at ${bank_name} now.`;
  };
  return (
    isWaiting(checkout) && (
      <section class="card">
        <h2>The payer’s bank cannot find the account</h2>
        <p>
          Another provider can open another account within half a minute. Money that is paid into the earlier accounts
          counts too.
        </p>
        <ActionButton label="Open another account" work={open} />
      </section>
    )
  );
};
