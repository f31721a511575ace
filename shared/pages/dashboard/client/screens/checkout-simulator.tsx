import type { Checkout, SimulateCheckoutPaymentRequest } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Outcome, useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { calculateMissing } from '#shared/pages/dashboard/client/parts/customer.ts';
import { kobo } from '#shared/pages/dashboard/client/parts/naira.ts';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

type Simulation = Omit<SimulateCheckoutPaymentRequest, 'reference'>;

/** Lists the outcomes that can be simulated now, by the label of the button. */
const listSimulations = (checkout: Checkout): readonly (readonly [string, Simulation])[] => {
  const due = calculateMissing(checkout);
  return [
    ...(due > 0
      ? ([
          ['Pay exactly', {}],
          ['Pay less', { amount: Math.max(0.01, kobo(due / 2) / 100) }],
          ['Pay more', { amount: (kobo(due) + 10_000) / 100 }],
          ['Pay late', { late: true }],
        ] as const)
      : []),
    ...(checkout.paid_amount > 0 ? ([['Reverse the newest payment', { outcome: 'reversed' }]] as const) : []),
    ...(checkout.status === 'pending' ? ([['Fail', { status: 'failed' }]] as const) : []),
  ];
};

/** Shows buttons that simulate bank transfers in test mode. */
export const Simulator = ({ place, checkout, onDone }: { place: Place; checkout: Checkout; onDone: () => void }) => {
  const { isBusy, error, message, run } = useAction();
  const simulate = (simulation: Simulation) =>
    run(async () => {
      await createClient(place).checkouts.simulate({ reference: checkout.reference, ...simulation });
      onDone();
    });
  return (
    <section class="card">
      <h2>Simulate</h2>
      <div class="buttons">
        {listSimulations(checkout).map(([words, simulation]) => (
          <button key={words} type="button" aria-disabled={isBusy} onClick={() => void simulate(simulation)}>
            {words}
          </button>
        ))}
      </div>
      <Outcome error={error} message={message} />
    </section>
  );
};
