import { useState } from 'preact/hooks';
import type { VirtualAccount as OneAccount } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { readField } from '#shared/pages/dashboard/client/parts/form-fields.ts';
import { Filter, Filters, List, readFilters } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { NextStep } from '#shared/pages/dashboard/client/parts/passkey-first.tsx';
import { Badge, Copy, Cut, humanize, naira, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, go, type Place } from '#shared/pages/dashboard/client/router.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';

/** The form that opens a virtual account for a customer, at one provider. */
const NewAccount = ({ place }: { place: Place }) => {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)}>
        New virtual account
      </button>
    );
  }
  return (
    <section class="card">
      <h2>New virtual account</h2>
      <Form
        submit="Open it"
        onSubmit={async (fields) => {
          const { accounts } = await createClient(place).virtualAccounts.create({
            customer_name: readField(fields, 'customer_name') ?? '',
            customer_phone: readField(fields, 'customer_phone'),
            customer_email: readField(fields, 'customer_email'),
            provider: PROVIDERS.find((provider) => provider === fields.get('provider')),
            bvn: readField(fields, 'bvn'),
            nin: readField(fields, 'nin'),
          });
          const [first] = accounts;
          if (first) go(formatUrl(place, 'virtual-accounts', first.id));
        }}
      >
        <Field label="Customer’s full name" name="customer_name">
          {(control) => <input {...control} required maxLength={100} autocomplete="off" />}
        </Field>
        <Field label="Phone" name="customer_phone" hint="With its country prefix, such as +2348031234567.">
          {(control) => <input {...control} type="tel" autocomplete="off" />}
        </Field>
        <Field label="E-mail" name="customer_email">
          {(control) => <input {...control} type="email" autocomplete="off" />}
        </Field>
        <Field label="Provider" name="provider">
          {(control) => (
            <select {...control}>
              {PROVIDERS.map((provider) => (
                <option key={provider} value={provider}>
                  {humanize(provider)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <details>
          <summary>Identity numbers, if the provider asks for one</summary>
          <Field label="BVN" name="bvn" hint="Eleven digits. They are passed on to the provider and not stored.">
            {(control) => <input {...control} inputMode="numeric" autocomplete="off" />}
          </Field>
          <Field label="NIN" name="nin" hint="Eleven digits. They are passed on to the provider and not stored.">
            {(control) => <input {...control} inputMode="numeric" autocomplete="off" />}
          </Field>
        </details>
      </Form>
    </section>
  );
};

/** The screen of all virtual accounts, newest first. */
export const VirtualAccounts = ({ place, mayChange }: { place: Place; mayChange: boolean }) => {
  const load = async (cursor: string | undefined) => {
    const { items, nextCursor } = await createClient(place)
      .virtualAccounts.list({ ...readFilters(place, ['customer_email', 'account_number']), cursor })
      .page();
    return { items, next: nextCursor };
  };
  return (
    <>
      <h1>Virtual accounts</h1>
      {mayChange && (
        <div class="above">
          <NewAccount place={place} />
        </div>
      )}
      <Filters place={place}>
        <Filter place={place} name="customer_email" label="Customer’s whole e-mail" />
        <Filter place={place} name="account_number" label="Account number" />
      </Filters>
      <List
        place={place}
        name="virtual accounts"
        load={load}
        keyOf={({ id }) => id}
        empty={
          <p>
            No virtual account yet.{' '}
            <NextStep place={place} mayChange={mayChange} to="to open a live virtual account">
              Open one for a customer, who can pay into it again and again.
            </NextStep>
          </p>
        }
        columns={[
          { title: 'Created', isTime: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: 'Account',
            onPhone: 'title',
            cell: ({ id, account_number }) => (
              <a href={formatUrl(place, 'virtual-accounts', id)}>{account_number ?? id}</a>
            ),
          },
          { title: 'Bank', cell: ({ bank_name }) => bank_name ?? '–' },
          { title: 'Customer', cell: ({ customer_name }) => <Cut text={customer_name} /> },
          { title: 'Status', onPhone: 'side', cell: ({ status }) => <Badge state={status} /> },
        ]}
      />
    </>
  );
};

const TransferSimulator = ({ place, id, onDone }: { place: Place; id: string; onDone: () => void }) => (
  <section class="card">
    <h2>Simulate a transfer</h2>
    <Form
      submit="Transfer"
      onSubmit={async (fields) => {
        await createClient(place).virtualAccounts.simulate(id, { amount: Number(fields.get('amount')) });
        onDone();
      }}
    >
      <Field label="Amount in naira" name="amount" hint="Such as 5000 or 8500.75.">
        {(control) => <input {...control} type="number" min="0.01" step="0.01" required />}
      </Field>
    </Form>
  </section>
);

/** The meaning of each state; empty if the label alone is clear. */
const MEANINGS: Readonly<Record<OneAccount['status'], string>> = {
  active: '',
  pending: 'The provider has not said yet whether it has opened the account.',
  failed: 'The provider did not open the account.',
  inactive: 'Money that still arrives is recorded.',
};

/** The screen of a virtual account with its payments. */
export const VirtualAccount = ({ place, id, mayChange }: { place: Place; id: string; mayChange: boolean }) => {
  const { virtualAccounts } = createClient(place);
  const key = `${place.businessId} ${place.mode} ${id}`;
  const loading = useLoaded(`account ${key}`, () => virtualAccounts.get(id), { fresh: true });
  const [version, setVersion] = useState(0);
  const loadPayments = async (cursor: string | undefined) => {
    const { items, nextCursor } = await virtualAccounts.payments(id, { cursor }).page();
    return { items, next: nextCursor };
  };
  /** Goes to the first list page, which has the new payment. */
  const showNewest = (): void => {
    setVersion(version + 1);
    if (place.query.has('cursor')) go(formatUrl(place, 'virtual-accounts', id));
  };
  return (
    <>
      <div class="heading">
        <h1>Virtual account</h1>
        <a href={formatUrl(place, 'virtual-accounts')}>All virtual accounts</a>
      </div>
      <Loaded loading={loading}>
        {(account) => (
          <>
            <dl class="facts">
              <dt>Status</dt>
              <dd>
                <Badge state={account.status} /> {MEANINGS[account.status]}
              </dd>
              <dt>Account</dt>
              <dd>
                {account.account_number === null ? (
                  '–'
                ) : (
                  <Copy text={account.account_number} label="the account number" />
                )}
              </dd>
              <dt>Bank</dt>
              <dd>{account.bank_name ?? '–'}</dd>
              <dt>Name on it</dt>
              <dd>{account.account_name ?? '–'}</dd>
              <dt>Customer</dt>
              <dd>{[account.customer_name, account.customer_email].filter(Boolean).join(', ')}</dd>
              <dt>Created</dt>
              <dd>
                <Time at={account.created_at} />
              </dd>
            </dl>
            {mayChange && place.mode === 'test' && <TransferSimulator place={place} id={id} onDone={showNewest} />}
            {mayChange && account.status === 'active' && (
              <details class="card">
                <summary>Deactivate</summary>
                <Form
                  submit="Deactivate it"
                  isDanger
                  onSubmit={async () => {
                    await virtualAccounts.deactivate(id);
                    loading.reload();
                  }}
                >
                  <p>This closes the account for good. Money that still arrives is recorded.</p>
                </Form>
              </details>
            )}
          </>
        )}
      </Loaded>
      <h2>Payments</h2>
      <List
        place={place}
        name={`payments of ${id}`}
        version={version}
        load={loadPayments}
        keyOf={(payment) => payment.id}
        empty={<p>No payment yet. Give the account number to the customer. A transfer appears here when it lands.</p>}
        columns={[
          { title: 'Paid', isTime: true, cell: ({ paid_at }) => <Time at={paid_at} /> },
          {
            title: 'Amount',
            isNumber: true,
            onPhone: 'title',
            cell: (payment) => <a href={formatUrl(place, 'payments', payment.id)}>{naira(payment.amount)}</a>,
          },
          { title: 'Outcome', onPhone: 'side', cell: ({ outcome }) => <Badge state={outcome} /> },
          { title: 'From', cell: ({ sender_name }) => <Cut text={sender_name} /> },
        ]}
      />
    </>
  );
};
