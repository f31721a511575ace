import type { RecordedPayment } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Filter, filtersOf, List } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Problem } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';

const FILTERS = ['outcome', 'payer_email', 'sender'] as const;

/** Saves a text as a file of the browser's. */
const save = (parts: readonly string[], name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...parts], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

const Export = ({ place, filters }: { place: Place; filters: Record<string, string> }) => {
  const { isBusy, error, run } = useAction();
  const exportAll = async (): Promise<void> => {
    const parts: string[] = [];
    for await (const part of apiOf(place).payments.export(filters)) parts.push(part);
    save(parts, `payments-${place.mode}.csv`);
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void run(exportAll)}>
        {isBusy ? 'Exporting…' : 'Export as CSV'}
      </button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
};

const paidOn = (place: Place, { checkout_reference, virtual_account_id, merchant_reference }: RecordedPayment) =>
  checkout_reference === null ? (
    <code>{virtual_account_id}</code>
  ) : (
    <a href={urlOf(place, 'checkouts', checkout_reference)}>{merchant_reference ?? checkout_reference}</a>
  );

/** Everything that landed, newest first. */
export const Payments = ({ place }: { place: Place }) => {
  const filters = filtersOf(place, FILTERS);
  const load = async (cursor: string | undefined) => {
    const { items, nextCursor } = await apiOf(place)
      .payments.list({ ...filters, cursor })
      .page();
    return { items, next: nextCursor };
  };
  return (
    <>
      <h1>Payments</h1>
      <div class="filters">
        <Filter place={place} name="outcome" label="Outcome" options={['accepted', 'rejected', 'reversed']} />
        <Filter place={place} name="payer_email" label="Payer’s e-mail" />
        <Filter place={place} name="sender" label="Sender" />
        <Export place={place} filters={filters} />
      </div>
      <List
        place={place}
        name="payments"
        load={load}
        keyOf={({ id }) => id}
        empty={<p>No payment yet, or none with these filters.</p>}
        columns={[
          { title: 'Recorded', cell: ({ recorded_at }) => <Time at={recorded_at} /> },
          { title: 'Amount', isNumber: true, cell: ({ amount }) => naira(amount) },
          { title: 'Outcome', cell: ({ outcome }) => <Badge of={outcome} /> },
          { title: 'From', cell: ({ sender_name }) => sender_name ?? '–' },
          { title: 'For', cell: (payment) => paidOn(place, payment) },
          { title: 'Provider', cell: ({ provider }) => provider },
        ]}
      />
    </>
  );
};
