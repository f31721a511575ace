import type { RecordedPayment } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton } from '#shared/pages/dashboard/client/parts/action.tsx';
import { createFieldError } from '#shared/pages/dashboard/client/parts/fields.ts';
import { Filter, Filters, List, PeriodFilters, readFilters } from '#shared/pages/dashboard/client/parts/list.tsx';
import { parseAmount } from '#shared/pages/dashboard/client/parts/naira.ts';
import { readPeriod } from '#shared/pages/dashboard/client/parts/period.ts';
import { saveCsv } from '#shared/pages/dashboard/client/parts/save-csv.ts';
import { Badge, Cut, humanize, naira, Ref, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';

const FILTERS = ['outcome', 'payer_email', 'sender', 'amount', 'min_amount', 'max_amount'] as const;

/**
 * Reads the query from the filters in the URL. An exact amount becomes both limits. @throws PaymentsError if the filter `amount` is not an
 * amount.
 */
const readQuery = (place: Place) => {
  const { amount, ...filters } = readFilters(place, FILTERS);
  if (amount !== undefined) {
    const exact = parseAmount(amount);
    if (exact === undefined)
      throw createFieldError({ field: 'amount', message: 'amount must be a number such as 8,500.75.' });
    filters.min_amount = exact;
    filters.max_amount = exact;
  }
  return { ...filters, ...readPeriod(place) };
};

/** Says that no payment of the searched amount has landed; undefined if other filters may hide it. */
const renderNotLanded = (place: Place) => {
  const amount = parseAmount(place.query.get('amount') ?? '');
  if (amount === undefined || place.query.size > 1) return undefined;
  return (
    <p>
      No payment of {naira(Number(amount))} has landed. A transfer can take some minutes. Until then, look at the{' '}
      <a href={formatUrl(place, 'checkouts')}>checkout of the order</a>.
    </p>
  );
};

const ExportButton = ({ place }: { place: Place }) => {
  const exportAll = async () => {
    const parts: string[] = [];
    for await (const part of createClient(place).payments.export(readQuery(place))) parts.push(part);
    saveCsv(parts, `payments-${place.mode}.csv`);
    return <p>Saved as payments-{place.mode}.csv.</p>;
  };
  return <ActionButton label="Export as CSV" work={exportAll} />;
};

const renderOwner = (place: Place, { checkout_reference, virtual_account_id, merchant_reference }: RecordedPayment) =>
  checkout_reference === null ? (
    <a href={formatUrl(place, 'virtual-accounts', virtual_account_id ?? '')}>Virtual account</a>
  ) : (
    <a href={formatUrl(place, 'checkouts', checkout_reference)}>
      <Ref text={merchant_reference ?? checkout_reference} />
    </a>
  );

/** The screen of all payments, newest first. */
export const Payments = ({ place }: { place: Place }) => {
  const load = async (cursor: string | undefined) => {
    const { items, nextCursor } = await createClient(place)
      .payments.list({ ...readQuery(place), cursor })
      .page();
    return { items, next: nextCursor };
  };
  return (
    <>
      <div class="heading">
        <h1>Payments</h1>
        <ExportButton place={place} />
      </div>
      <Filters place={place}>
        <Filter place={place} name="amount" label="Amount ₦" />
        <PeriodFilters place={place} />
        <Filter place={place} name="outcome" label="Outcome" options={['accepted', 'rejected', 'reversed']} />
        <Filter place={place} name="payer_email" label="Payer’s whole e-mail" />
        <Filter place={place} name="sender" label="Sender" />
        <Filter place={place} name="min_amount" label="At least ₦" kind="naira" />
        <Filter place={place} name="max_amount" label="At most ₦" kind="naira" />
      </Filters>
      <List
        place={place}
        name="payments"
        load={load}
        keyOf={({ id }) => id}
        empty={
          <p>
            No payment yet. When somebody pays a <a href={formatUrl(place, 'checkouts')}>checkout</a> or pays into a{' '}
            <a href={formatUrl(place, 'virtual-accounts')}>virtual account</a>, the payment appears here.
          </p>
        }
        noMatch={renderNotLanded(place)}
        columns={[
          { title: 'Recorded', isTime: true, cell: ({ recorded_at }) => <Time at={recorded_at} /> },
          {
            title: 'Amount',
            isNumber: true,
            onPhone: 'title',
            cell: ({ id, amount }) => <a href={formatUrl(place, 'payments', id)}>{naira(amount)}</a>,
          },
          {
            title: 'Outcome',
            onPhone: 'side',
            cell: ({ outcome, late }) => (
              <>
                <Badge state={outcome} /> {late && <Badge state="late" />}
              </>
            ),
          },
          { title: 'From', cell: ({ sender_name }) => <Cut text={sender_name} /> },
          { title: 'For', cell: (payment) => renderOwner(place, payment) },
          { title: 'Provider', onPhone: 'hidden', cell: ({ provider }) => humanize(provider) },
        ]}
      />
    </>
  );
};
