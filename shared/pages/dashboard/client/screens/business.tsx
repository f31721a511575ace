import { forBusiness, type Profile } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { PasskeyFirst } from '#shared/pages/dashboard/client/parts/passkey-first.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

const linesOf = (text: string): string[] => text.split(/\s+/).filter((one) => one !== '');
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const Read = ({ of }: { of: Profile }) => (
  <dl class="facts">
    <dt>Name on the payment page</dt>
    <dd>{of.display_name}</dd>
    <dt>Support</dt>
    <dd>{of.support ?? 'none'}</dd>
    <dt>Websites</dt>
    <dd>{of.websites.join(', ') || 'none'}</dd>
    <dt>Colour</dt>
    <dd>{of.brand_color ?? 'none'}</dd>
    <dt>Routing</dt>
    <dd>{of.routing ? 'on' : 'off'}</dd>
  </dl>
);

const Edit = ({ place, of }: { place: Place; of: Profile }) => (
  <Form
    submit="Save"
    onSubmit={async (fields) => {
      const text = (name: string): string => String(fields.get(name) ?? '');
      await forBusiness(place).setProfile({
        display_name: text('display_name'),
        support: orNull(text('support')),
        websites: linesOf(text('websites')),
        brand_color: orNull(text('brand_color')),
        routing: fields.get('routing') === 'on',
      });
      return <p>Saved. Payment pages show it within a minute.</p>;
    }}
  >
    <Field label="Name on the payment page" name="display_name">
      {(control) => <input {...control} required maxLength={100} defaultValue={of.display_name} />}
    </Field>
    <Field
      label="Support"
      name="support"
      hint="Where payers find help: an e-mail address, a phone number such as +2348031234567, or an https page."
    >
      {(control) => <input {...control} defaultValue={of.support ?? ''} />}
    </Field>
    <Field
      label="Websites"
      name="websites"
      hint="One on each line, such as https://shop.example.ng. Payers may be sent back to these alone, and these may show the payment page in a frame."
    >
      {(control) => <textarea {...control} rows={3} defaultValue={of.websites.join('\n')} />}
    </Field>
    <Field label="Colour" name="brand_color" hint="Of the buttons on the payment page, as #rrggbb.">
      {(control) => <input {...control} defaultValue={of.brand_color ?? ''} />}
    </Field>
    <Field
      label="Routing"
      name="routing"
      hint="A checkout that names no provider may go to another one while the usual one fails. Other providers have other fees, limits and days of settlement."
    >
      {(control) => (
        <select {...control} defaultValue={of.routing ? 'on' : 'off'}>
          <option value="off">off</option>
          <option value="on">on</option>
        </select>
      )}
    </Field>
  </Form>
);

interface BusinessProps {
  readonly place: Place;
  readonly mayChange: boolean;
}

/** What payers see of the business. */
export const Business = ({ place, mayChange }: BusinessProps) => {
  const profile = useLoaded(`business ${place.businessId}`, () => forBusiness(place).profile());
  return (
    <>
      <h1>Profile</h1>
      <p class="quiet">What your payers see, the same in test and live mode. A change needs your passkey.</p>
      {mayChange && <PasskeyFirst place={place} />}
      <Loaded of={profile}>
        {(of) => (
          <>
            <p>
              <strong>{of.name}</strong>
            </p>
            {mayChange ? <Edit place={place} of={of} /> : <Read of={of} />}
          </>
        )}
      </Loaded>
    </>
  );
};
