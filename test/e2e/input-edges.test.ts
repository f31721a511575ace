import { eventually, type HttpAnswer, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const CART = { amount: 100, payer_email: 'ngozi.eze@example.com' };
const INVISIBLE = 'must hold at least one visible character.';
const NO_CHARACTER = 'must not hold code points that are no characters.';

const errorOf = ({ status, json }: HttpAnswer) => [status, json.code, json.errors];
const invalid = (...errors: readonly { readonly field: string; readonly message: string }[]) => [
  422,
  'validation_failed',
  errors,
];

describe('a request', () => {
  let target: Target;
  let merchant: Merchant;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
  });
  afterAll(() => target.stop());

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    merchant.api('POST', path, { body, headers });
  const initialize = (fields: object) => post('/checkout/initialize', { ...CART, ...fields });

  describe('text that people read', () => {
    const invisible = '\u3164\u200b\u00ad\u2800\u{e0041}\u0301';

    test.each(['payer_name', 'description', 'merchant_reference'])(
      'causes a 422 if %s is invisible or holds no real characters',
      async (field) => {
        const [unseen, notCharacters] = [
          await initialize({ [field]: invisible }),
          await initialize({ [field]: 'Ada\ufffe' }),
        ];
        expect(errorOf(unseen)).toEqual(invalid({ field, message: `${field} ${INVISIBLE}` }));
        expect(errorOf(notCharacters)).toEqual(invalid({ field, message: `${field} ${NO_CHARACTER}` }));
      },
    );

    test('causes a 422 if it is the invisible name of a customer or a sender', async () => {
      const customer = await post('/virtual-accounts', { customer_name: '\u3164', provider: 'monnify' });
      expect(errorOf(customer)).toEqual(invalid({ field: 'customer_name', message: `customer_name ${INVISIBLE}` }));
      const { reference } = (await initialize({})).json.data;
      const senders = { sender_name: '\u200b', sender_bank: '\u2800' };
      const simulated = await post('/checkout/sandbox/simulate', { reference, ...senders });
      expect(errorOf(simulated)).toEqual(
        invalid(
          { field: 'sender_name', message: `sender_name ${INVISIBLE}` },
          { field: 'sender_bank', message: `sender_bank ${INVISIBLE}` },
        ),
      );
    });

    test('may use any script, with the invisible characters that join its letters', async () => {
      for (const name of ['می‌خواهم', '👩‍👩‍👧', '한국', 'Ọlábísí']) {
        expect((await initialize({ payer_name: name })).json.data.payer_name).toBe(name);
      }
    });

    test('causes an error of the operations command if it is the invisible name of a business', async () => {
      await expect(target.ops('business', 'create', '--name', '\u3164')).rejects.toThrow(
        'At least one of them is visible',
      );
    });
  });

  test.each(['2348031234567', '+23408031234567', '+234803123456', '+23480312345678', '+1234567', '+1234567890123456'])(
    'causes a 422 with the phone %s',
    async (customer_phone) => {
      const answer = await post('/virtual-accounts', { customer_name: 'Ada', provider: 'monnify', customer_phone });
      expect(errorOf(answer)).toEqual(
        invalid({
          field: 'customer_phone',
          message: 'customer_phone must be a phone number with its country prefix, such as +2348031234567.',
        }),
      );
    },
  );

  describe('an e-mail address', () => {
    test.each([`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.com`, 'a@-b.com', 'a@b_c.com', 'a@127.0.0.1'])(
      'causes a 422 in a body and in a search if it is %s',
      async (address) => {
        const invalidAddress = (field: string) => invalid({ field, message: `${field} must be an e-mail address.` });
        const query = encodeURIComponent(address);
        expect(errorOf(await initialize({ payer_email: address }))).toEqual(invalidAddress('payer_email'));
        for (const list of ['checkouts?payer_email', 'payments?payer_email', 'virtual-accounts?customer_email']) {
          const field = list.split('?')[1] ?? '';
          expect(errorOf(await merchant.api('GET', `/${list}=${query}`))).toEqual(invalidAddress(field));
        }
      },
    );

    test('is stored with its domain in the form xn--, and is found by any spelling of it', async () => {
      const ascii = 'Tunde@xn--mnchen-3ya.de';
      const opened = await initialize({ payer_email: 'Tunde@München.de' });
      expect(opened.json.data.payer_email).toBe(ascii);
      const { reference } = opened.json.data;
      await post('/checkout/sandbox/simulate', { reference });
      const customer = { customer_name: 'Tunde', customer_email: 'Tunde@München.de', provider: 'monnify' };
      const created = await post('/virtual-accounts', customer);
      expect(created.json.accounts[0].customer_email).toBe(ascii);
      for (const spelled of ['tunde@münchen.de', 'tunde@mu\u0308nchen.de', 'TUNDE@XN--MNCHEN-3YA.DE']) {
        const find = async (list: string) =>
          (await merchant.api('GET', `/${list}=${encodeURIComponent(spelled)}`)).json.data;
        await eventually('the payment is listed', async () => (await find('payments?payer_email')).length === 1);
        expect(
          (await find('checkouts?payer_email')).map((checkout: { reference: string }) => checkout.reference),
        ).toEqual([reference]);
        expect(await find('virtual-accounts?customer_email')).toHaveLength(1);
      }
    });
  });

  test('treats two Unicode spellings of a merchant_reference as the same: it stores one, and compares, lists and finds both', async () => {
    const normalized = 'COMMANDE-\u00e9t\u00e9-7';
    const first = await initialize({ merchant_reference: ' COMMANDE-e\u0301te\u0301-7\t' });
    expect([first.status, first.json.data.merchant_reference]).toEqual([201, normalized]);
    const { reference } = first.json.data;
    const second = await initialize({ merchant_reference: normalized });
    expect([second.status, second.json.code]).toEqual([409, 'duplicate_merchant_reference']);
    expect(second.json.message).toContain(reference);
    for (const spelled of [normalized, normalized.normalize('NFD'), ` ${normalized} `]) {
      const listed = await merchant.api('GET', `/checkouts?merchant_reference=${encodeURIComponent(spelled)}`);
      expect(listed.json.data.map((checkout: { reference: string }) => checkout.reference)).toEqual([reference]);
      const scope = ['--business', merchant.id, '--mode', 'test'];
      expect(JSON.stringify(await target.ops('checkout', 'find', spelled, ...scope))).toContain(reference);
    }
  });

  test.each(['gzip', 'br', 'identity, gzip'])('gets 415 with Content-Encoding %s', async (encoding) => {
    const answer = await post('/checkout/initialize', CART, { 'content-encoding': encoding });
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([
      415,
      'unsupported_media_type',
      'Send the request body without Content-Encoding.',
    ]);
    expect((await post('/checkout/initialize', CART, { 'content-encoding': 'identity' })).status).toBe(201);
  });

  describe('a query', () => {
    const twice = (field: string) => invalid({ field, message: `${field} must be given once.` });

    test.each<[string, string]>([
      ['/checkouts?limit=5&limit=6', 'limit'],
      ['/checkouts?limit=5&limit=5', 'limit'],
      ['/checkouts?limit=5&%6cimit=6', 'limit'],
      ['/checkouts?status=paid&status=pending', 'status'],
      ['/payments?sender=Ada&sender=Obi', 'sender'],
      ['/payments/export?outcome&outcome', 'outcome'],
      ['/virtual-accounts?customer_email=a%40b.co&customer_email=c%40d.co', 'customer_email'],
      ['/events?type=checkout.paid&type=checkout.failed', 'type'],
    ])('causes a 422 if a parameter occurs twice: %s', async (path, field) => {
      expect(errorOf(await merchant.api('GET', path))).toEqual(twice(field));
    });

    test('causes a 422 of a DELETE and a POST if a parameter occurs twice', async () => {
      const answer = await merchant.api('DELETE', '/virtual-accounts/va_1?provider=monnify&provider=monnify');
      expect(errorOf(answer)).toEqual(twice('provider'));
      expect(errorOf(await post('/checkout/initialize?utm=1&utm=2', CART))).toEqual(twice('utm'));
      expect((await post('/checkout/initialize?utm=1', CART)).status).toBe(201);
    });

    test('causes an error that names an unknown parameter once, and the known ones', async () => {
      const known = 'It takes limit, cursor, customer_email, account_number.';
      const message = `custmer_email is not a query parameter of this request. ${known}`;
      const answer = await merchant.api('GET', '/virtual-accounts?custmer_email=a&custmer_email=b&limit=1');
      expect(errorOf(answer)).toEqual(invalid({ field: 'custmer_email', message }));
      const nameless = await merchant.api('GET', '/virtual-accounts?=1');
      const unnamed = `A parameter without a name is not a query parameter of this request. ${known}`;
      expect(errorOf(nameless)).toEqual(invalid({ field: '', message: unnamed }));
    });

    test.each(['/docs', '/health', '/api/v1/openapi.json'])('has no effect at %s', async (path) => {
      const answer = await fetch(`${target.baseUrl}${path}?a=1&a=2`);
      await answer.text();
      expect(answer.status).toBe(200);
    });
  });
});
