import { useEffect, useState } from 'preact/hooks';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { readField } from '#shared/pages/dashboard/client/parts/form-fields.ts';
import { formatUrl, go, type Place } from '#shared/pages/dashboard/client/router.ts';

/** The choices for the time to pay, in seconds. */
const EXPIRIES: readonly (readonly [number, string])[] = [
  [300, '5 minutes'],
  [1_800, '30 minutes'],
  [7_200, '2 hours'],
  [21_600, '6 hours'],
  [86_400, '24 hours'],
];
const DEFAULT_EXPIRY = 1_800;

/** The form that starts a checkout by hand. A link may fill in fields with parameters that begin with `new_`. */
export const NewCheckout = ({ place }: { place: Place }) => {
  const [query] = useState(place.query);
  const readPrefilled = (name: string): string => query.get(`new_${name}`) ?? '';
  const isFilled = readPrefilled('amount') !== '';
  const [isOpen, setOpen] = useState(isFilled);
  // The parameters that fill the form must not filter the list below it.
  useEffect(() => {
    if (isFilled) go(formatUrl(place, 'checkouts'), { replace: true });
  }, [isFilled]);
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)}>
        New checkout
      </button>
    );
  }
  return (
    <section class="card">
      <h2>{place.mode === 'test' ? 'New test checkout' : 'New live checkout'}</h2>
      <Form
        submit="Start it"
        onSubmit={async (fields) => {
          const checkout = await createClient(place).checkouts.initialize({
            amount: Number(fields.get('amount')),
            payer_email: readField(fields, 'payer_email') ?? '',
            payer_name: readField(fields, 'payer_name'),
            description: readField(fields, 'description'),
            merchant_reference: readField(fields, 'merchant_reference'),
            expires_in: Number(fields.get('expires_in')),
            callback_url: readField(fields, 'callback_url'),
          });
          go(formatUrl(place, 'checkouts', checkout.reference));
        }}
      >
        <Field label="Amount in naira" name="amount" hint="Such as 8500 or 8500.75.">
          {(control) => (
            <input {...control} type="number" min="1" step="0.01" defaultValue={readPrefilled('amount')} required />
          )}
        </Field>
        <Field label="Payer’s e-mail" name="payer_email">
          {(control) => (
            <input {...control} type="email" defaultValue={readPrefilled('payer_email')} required autocomplete="off" />
          )}
        </Field>
        <Field label="Payer’s name" name="payer_name" hint="It may be empty.">
          {(control) => (
            <input {...control} maxLength={100} defaultValue={readPrefilled('payer_name')} autocomplete="off" />
          )}
        </Field>
        <Field
          label="What it is for"
          name="description"
          hint="The payer reads it, such as “Two bags of rice”. It may be empty."
        >
          {(control) => <input {...control} maxLength={120} defaultValue={readPrefilled('description')} />}
        </Field>
        <Field label="Order number" name="merchant_reference" hint="Your own, such as 1042. It may be empty.">
          {(control) => <input {...control} maxLength={100} />}
        </Field>
        <Field label="Time to pay" name="expires_in">
          {(control) => (
            <select {...control}>
              {EXPIRIES.map(([seconds, words]) => (
                <option key={seconds} value={seconds} selected={seconds === DEFAULT_EXPIRY}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Where the payer goes afterwards"
          name="callback_url"
          hint="A page of your shop that begins with https://. It may be empty."
        >
          {(control) => <input {...control} type="url" maxLength={500} />}
        </Field>
      </Form>
    </section>
  );
};
