import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Filter, Filters, List, PeriodFilters, readFilters } from '#shared/pages/dashboard/client/parts/list.tsx';
import { NextStep } from '#shared/pages/dashboard/client/parts/passkey-first.tsx';
import { readPeriod } from '#shared/pages/dashboard/client/parts/period.ts';
import { Badge, Cut, naira, Ref, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { NewCheckout } from './new-checkout.tsx';

const FILTERS = ['status', 'payer_email', 'merchant_reference', 'account_number'] as const;
const STATES = ['pending', 'underpaid', 'paid', 'expired', 'failed'];

/** The screen of all checkouts, newest first. */
export const Checkouts = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const load = async (cursor: string | undefined) => {
    const { items, nextCursor } = await createClient(place)
      .checkouts.list({ ...readFilters(place, FILTERS), ...readPeriod(place), cursor })
      .page();
    return { items, next: nextCursor };
  };
  return (
    <>
      <h1>Checkouts</h1>
      {mayChange && (
        <div class="above">
          <NewCheckout place={place} />
        </div>
      )}
      <Filters place={place}>
        <PeriodFilters place={place} />
        <Filter place={place} name="status" label="Status" options={STATES} />
        <Filter place={place} name="payer_email" label="Payer’s whole e-mail" />
        <Filter place={place} name="merchant_reference" label="Whole order number" />
        <Filter place={place} name="account_number" label="Account number" />
      </Filters>
      <List
        place={place}
        name="checkouts"
        load={load}
        keyOf={({ reference }) => reference}
        empty={
          <p>
            No checkout yet.{' '}
            <NextStep place={place} mayChange={mayChange} to="to start a live checkout">
              Start one with the button above, or from your server.
            </NextStep>
          </p>
        }
        columns={[
          {
            title: 'Reference',
            cell: ({ reference }) => (
              <a href={formatUrl(place, 'checkouts', reference)}>
                <Ref text={reference} />
              </a>
            ),
          },
          { title: 'Order number', cell: ({ merchant_reference }) => <Cut text={merchant_reference} /> },
          { title: 'Status', onPhone: 'side', cell: ({ status }) => <Badge state={status} /> },
          { title: 'Amount', isNumber: true, onPhone: 'title', cell: ({ amount }) => naira(amount) },
          { title: 'Paid', isNumber: true, onPhone: 'named', cell: ({ paid_amount }) => naira(paid_amount) },
          { title: 'Started', isTime: true, cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Payer', cell: ({ payer_email }) => <Cut text={payer_email} /> },
        ]}
      />
    </>
  );
};
