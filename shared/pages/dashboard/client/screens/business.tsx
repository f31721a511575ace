import { useEffect, useRef, useState } from 'preact/hooks';
import { contrast, DEFAULT_BRAND, textOn } from '#shared/businesses/domain/contrast.ts';
import { LOGO_BYTES, LOGO_SIDE } from '#shared/businesses/domain/logo-limits.ts';
import { forBusiness, type Profile } from '#shared/pages/dashboard/client/api.ts';
import { Field, Form } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { PasskeyFirst } from '#shared/pages/dashboard/client/parts/passkey-first.tsx';
import { PaymentPage } from '#shared/pages/dashboard/client/parts/payment-page.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

const splitLines = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '');
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const ProfileFacts = ({ profile }: { profile: Profile }) => (
  <>
    <dl class="facts">
      <dt>Name on the payment page</dt>
      <dd>{profile.display_name}</dd>
      <dt>Support</dt>
      <dd>{profile.support ?? 'none'}</dd>
      <dt>Websites</dt>
      <dd>{profile.websites.join(', ') || 'none'}</dd>
      <dt>Colour</dt>
      <dd>{profile.brand_color ?? 'none'}</dd>
      <dt>Routing</dt>
      <dd>{profile.routing ? 'on' : 'off'}</dd>
    </dl>
    <PaymentPage name={profile.display_name} color={profile.brand_color} logo={profile.logo?.url ?? null} />
  </>
);

/** The logo in the form. */
interface ChosenLogo {
  readonly url: string | null;
  /** The new file in base64; null to remove the logo, undefined to keep it. */
  readonly upload?: string | null;
}

/** Reads a file as a `data:` URL. The part after its comma is base64. */
const readFile = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

const KIB = 1_024;

interface LogoFieldProps {
  readonly logo: ChosenLogo;
  readonly onChoose: (logo: ChosenLogo) => void;
}

const LogoField = ({ logo, onChoose }: LogoFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  // A file input goes on naming its file after the logo was saved or removed, so it is emptied.
  useEffect(() => {
    if (typeof logo.upload === 'string' || !input.current) return;
    input.current.value = '';
    input.current.setCustomValidity('');
  }, [logo]);
  const choose = async (field: HTMLInputElement): Promise<void> => {
    const [file] = field.files ?? [];
    field.setCustomValidity('');
    if (!file) return;
    if (file.size > LOGO_BYTES) {
      field.setCustomValidity(
        `A logo can have at most 64 kB. This file has ${Math.ceil(file.size / KIB)} kB. Choose a smaller file.`,
      );
      return;
    }
    const url = await readFile(file);
    onChoose({ url, upload: url.slice(url.indexOf(',') + 1) });
  };
  return (
    <Field
      label="Logo"
      name="logo"
      hint={`A PNG or JPEG of at most 64 kB, ${LOGO_SIDE.least} to ${LOGO_SIDE.most} pixels wide and high. Payers see it on white, beside the name.`}
    >
      {(control) => (
        <>
          {logo.url !== null && (
            <p class="logo-now">
              <img src={logo.url} alt="Your logo" />
              <button
                type="button"
                onClick={() => {
                  onChoose({ url: null, upload: null });
                  input.current?.focus();
                }}
              >
                Remove the logo
              </button>
            </p>
          )}
          <input
            {...control}
            ref={input}
            type="file"
            accept="image/png,image/jpeg"
            onChange={(event) => void choose(event.currentTarget)}
          />
        </>
      )}
    </Field>
  );
};

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Describes the contrast of a colour, or how to write one. */
const describeContrast = (color: string): string => {
  if (color === '') return 'If it is empty, the page is green.';
  if (!isColor(color)) return 'Write a colour as #rrggbb, such as #0a7d4f.';
  const text = textOn(color);
  const isWhite = text === '#ffffff';
  return `The text on this colour is ${isWhite ? 'white' : 'black'}: a contrast of ${contrast(color, text).toFixed(1)} to 1.`;
};

interface ColorFieldProps {
  readonly color: string;
  readonly onInput: (color: string) => void;
}

const ColorField = ({ color, onInput }: ColorFieldProps) => (
  <Field
    label="Colour"
    name="brand_color"
    hint={`The page’s head and buttons have this colour. ${describeContrast(color)}`}
  >
    {(control) => (
      <div class="swatch">
        <input
          type="color"
          aria-label="Pick a colour"
          value={isColor(color) ? color : DEFAULT_BRAND}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <input {...control} value={color} onInput={(event) => onInput(event.currentTarget.value.trim())} />
      </div>
    )}
  </Field>
);

const ProfileForm = ({ place, profile }: { place: Place; profile: Profile }) => {
  const [name, setName] = useState(profile.display_name);
  const [color, setColor] = useState(profile.brand_color ?? '');
  const [logo, setLogo] = useState<ChosenLogo>({ url: profile.logo?.url ?? null });
  return (
    <Form
      submit="Save"
      onSubmit={async (fields) => {
        const text = (field: string): string => String(fields.get(field) ?? '');
        const saved = await forBusiness(place).setProfile({
          display_name: name,
          support: orNull(text('support')),
          websites: splitLines(text('websites')),
          brand_color: orNull(color),
          routing: fields.get('routing') === 'on',
          ...(logo.upload !== undefined && { logo: logo.upload }),
        });
        setLogo({ url: saved.logo?.url ?? null });
        return <p>Saved. Payment pages show the new profile within a minute.</p>;
      }}
    >
      <div class="previewed">
        <div>
          <Field label="Name on the payment page" name="display_name">
            {(control) => (
              <input
                {...control}
                required
                maxLength={100}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            )}
          </Field>
          <LogoField logo={logo} onChoose={setLogo} />
          <ColorField color={color} onInput={setColor} />
          <Field
            label="Support"
            name="support"
            hint="Where payers find help: an e-mail address, a phone number such as +2348031234567, or an https page."
          >
            {(control) => <input {...control} defaultValue={profile.support ?? ''} />}
          </Field>
        </div>
        <PaymentPage name={name} color={isColor(color) ? color : null} logo={logo.url} />
      </div>
      <Field
        label="Websites"
        name="websites"
        hint="One on each line, such as https://shop.example.ng. Payers can be sent back only to these websites, and only these can show the payment page in a frame."
      >
        {(control) => <textarea {...control} rows={3} defaultValue={profile.websites.join('\n')} />}
      </Field>
      <Field
        label="Routing"
        name="routing"
        hint="While the usual provider fails, a checkout that names no provider can use another one. Other providers have other fees, limits and settlement days."
      >
        {(control) => (
          <select {...control} defaultValue={profile.routing ? 'on' : 'off'}>
            <option value="off">off</option>
            <option value="on">on</option>
          </select>
        )}
      </Field>
    </Form>
  );
};

interface BusinessProps {
  readonly place: Place;
  readonly mayChange: boolean;
}

/** The screen of the profile that payers see. */
export const Business = ({ place, mayChange }: BusinessProps) => {
  const loading = useLoaded(`business ${place.businessId}`, () => forBusiness(place).profile());
  return (
    <>
      <h1>Profile</h1>
      <p class="quiet">Your payers see this profile in test and in live mode. You need your passkey to change it.</p>
      {mayChange && <PasskeyFirst place={place} />}
      <Loaded loading={loading}>
        {(profile) => (
          <>
            <p>
              <strong>{profile.name}</strong>
            </p>
            {mayChange ? <ProfileForm place={place} profile={profile} /> : <ProfileFacts profile={profile} />}
          </>
        )}
      </Loaded>
    </>
  );
};
