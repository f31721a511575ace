import type { Checkout } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Copy, humanize } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

interface ActionsProps {
  readonly place: Place;
  readonly checkout: Checkout;
  readonly onDone: () => void;
  readonly mayChange: boolean;
}

/** Asks the provider again, and says whether it reports anything new. */
const askAgain = async ({ place, checkout, onDone }: ActionsProps) => {
  const { version } = await createClient(place).checkouts.requery(checkout.reference);
  onDone();
  return version === checkout.version
    ? `${humanize(checkout.provider)} reports no new money. You can ask again in ten seconds.`
    : 'The provider reports something new. Read the status above.';
};

/** Ends a checkout before it expires. */
const End = ({ place, checkout, onDone }: ActionsProps) => (
  <details>
    <summary>End it now</summary>
    <Form
      submit="End this checkout"
      isDanger
      onSubmit={async () => {
        await createClient(place).checkouts.expire(checkout.reference);
        onDone();
      }}
    >
      <p>
        The payment page then says that the time is up, and you can use the order number again. Money that still arrives
        counts, and your server is notified.
      </p>
    </Form>
  </details>
);

/** Shows the link to the payment page, and the actions that are possible now. */
export const Actions = (props: ActionsProps) => {
  const { place, checkout, mayChange } = props;
  const { checkout_url: url, status } = checkout;
  return (
    <section class="card">
      <h2>Payment page</h2>
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          Open the payment page
        </a>
      </p>
      <p>
        <Copy text={url} label="the link" />
      </p>
      {mayChange && place.mode === 'live' && status !== 'paid' && (
        <ActionButton label="Ask the provider again" work={() => askAgain(props)} />
      )}
      {mayChange && status === 'pending' && <End {...props} />}
    </section>
  );
};
