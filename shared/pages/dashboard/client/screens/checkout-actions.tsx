import type { Checkout } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Act, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Copy, humanize } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

interface ActionsProps {
  readonly place: Place;
  readonly checkout: Checkout;
  readonly onDone: () => void;
  readonly mayChange: boolean;
}

/** Asks the provider once more, and says what it knew. */
const askAgain = async ({ place, checkout, onDone }: ActionsProps) => {
  const { version } = await createClient(place).checkouts.requery(checkout.reference);
  onDone();
  return version === checkout.version
    ? `${humanize(checkout.provider)} knows of no other money now. It is asked at most once in ten seconds.`
    : 'There is news: see the status.';
};

/** Ends a checkout before its time. */
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
        The payer is told that the time is up, and your order number may be used again. Money that arrives all the same
        still counts, and your server is told of it.
      </p>
    </Form>
  </details>
);

/** The payment page of a checkout, and all that can be done with the checkout now. */
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
        <Copy text={url} label="its link" />
      </p>
      {mayChange && place.mode === 'live' && status !== 'paid' && (
        <Act label="Ask the provider again" work={() => askAgain(props)} />
      )}
      {mayChange && status === 'pending' && <End {...props} />}
    </section>
  );
};
