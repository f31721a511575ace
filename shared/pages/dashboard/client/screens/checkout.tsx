import type { Checkout as OneCheckout, SimulateCheckoutPaymentRequest } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, Problem, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Copy, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

type Wish = Omit<SimulateCheckoutPaymentRequest, 'reference'>;

const kobo = (amount: number): number => Math.round(amount * 100);

/** What a bank transfer could cause now, by the words on its button. */
const wishesFor = ({ amount_to_pay, paid_amount, status }: OneCheckout): readonly (readonly [string, Wish])[] => {
  const due = Math.max(0, kobo(amount_to_pay) - kobo(paid_amount)) / 100;
  return [
    ...(due > 0
      ? ([
          ['Pay exactly', {}],
          ['Pay less', { amount: Math.max(0.01, kobo(due / 2) / 100) }],
          ['Pay more', { amount: (kobo(due) + 10_000) / 100 }],
          ['Pay late', { late: true }],
        ] as const)
      : []),
    ...(paid_amount > 0 ? ([['Reverse the newest', { outcome: 'reversed' }]] as const) : []),
    ...(status === 'pending' ? ([['Fail', { status: 'failed' }]] as const) : []),
  ];
};

const Simulator = ({ place, of, onDone }: { place: Place; of: OneCheckout; onDone: () => void }) => {
  const { isBusy, error, run } = useAction();
  const simulate = (wish: Wish) =>
    run(async () => {
      await apiOf(place).checkouts.simulate({ reference: of.reference, ...wish });
      onDone();
    });
  return (
    <section class="card">
      <h2>Simulate</h2>
      <div class="buttons">
        {wishesFor(of).map(([words, wish]) => (
          <button key={words} type="button" disabled={isBusy} onClick={() => void simulate(wish)}>
            {words}
          </button>
        ))}
      </div>
      {error !== undefined && <Problem error={error} />}
    </section>
  );
};

/** One checkout, with what was paid on it. */
export const Checkout = ({ place, reference, mayChange }: { place: Place; reference: string; mayChange: boolean }) => {
  const loading = useLoaded(
    `checkout ${place.businessId} ${place.mode} ${reference}`,
    () => apiOf(place).checkouts.verify(reference),
    { fresh: true },
  );
  return (
    <>
      <h1>Checkout</h1>
      <Loaded of={loading}>
        {(one) => (
          <>
            <dl class="facts">
              <dt>Status</dt>
              <dd>
                <Badge of={one.status} />
              </dd>
              <dt>Reference</dt>
              <dd>
                <Copy text={one.reference} label="the reference" />
              </dd>
              <dt>Your reference</dt>
              <dd>{one.merchant_reference ?? '–'}</dd>
              <dt>Amount</dt>
              <dd>{naira(one.amount)}</dd>
              <dt>Paid</dt>
              <dd>{naira(one.paid_amount)}</dd>
              <dt>Payer</dt>
              <dd>{one.payer_email}</dd>
              <dt>Account</dt>
              <dd>
                {one.account_number ?? '–'} {one.bank_name}
              </dd>
              <dt>Started</dt>
              <dd>
                <Time at={one.created_at} />
              </dd>
              <dt>Expires</dt>
              <dd>
                <Time at={one.expires_at} />
              </dd>
              <dt>Payment page</dt>
              <dd>{one.checkout_url === null ? '–' : <Copy text={one.checkout_url} label="its address" />}</dd>
            </dl>
            {mayChange && place.mode === 'test' && <Simulator place={place} of={one} onDone={loading.reload} />}
            <h2>Payments</h2>
            {one.payments.length === 0 ? (
              <p class="quiet">Nothing was paid yet.</p>
            ) : (
              <ul class="plain">
                {one.payments.map((payment) => (
                  <li key={payment.id}>
                    <strong>{naira(payment.amount)}</strong> <Badge of={payment.outcome} /> from{' '}
                    {payment.sender_name ?? 'an unnamed sender'}, <Time at={payment.paid_at} />{' '}
                    <code class="quiet">{payment.id}</code>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </>
  );
};
