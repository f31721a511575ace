import fc from 'fast-check';
import { business } from '#shared/businesses/domain/business.ts';
import { contrast, textOn } from '#shared/businesses/domain/contrast.ts';
import { businessProfile, isWebsite, parseColor, parseSupport } from '#shared/businesses/domain/profile.ts';
import { NOON, SHOP } from '#test/unit/api/examples.ts';

const stored = {
  id: SHOP,
  name: 'Ada Stores',
  suspended: false,
  endpoints: [],
  keys: [],
  createdAt: NOON,
  version: 3,
  members: [],
};

describe('the profile of a business', () => {
  test('can be parsed as it was stored', () => {
    const profile = {
      displayName: 'Ada Fabrics',
      support: { kind: 'phone', number: '+2348031234567' },
      websites: ['https://shop.example.ng'],
      brandColor: '#0a7d4f',
      isRouted: true,
      logo: { id: '0123456789abcdef0123456789abcdef', type: 'image/png', width: 120, height: 40 },
    };
    expect(businessProfile.parse(profile)).toEqual(profile);
    expect(business.parse({ ...stored, profile })).toEqual({ ...stored, profile });
    expect(business.safeParse(stored).success).toBe(false);
    const { logo: _, ...older } = profile;
    expect(businessProfile.parse(older)).toEqual({ ...older, logo: null });
  });

  test('has at most twenty websites', () => {
    const profile = { displayName: 'Ada', support: null, brandColor: null, isRouted: false };
    const websites = Array.from({ length: 21 }, (_, i) => `https://s${i}.example.ng`);
    expect(businessProfile.safeParse({ ...profile, websites }).success).toBe(false);
    expect(businessProfile.safeParse({ ...profile, websites: websites.slice(1) }).success).toBe(true);
  });
});

describe('the support contact of a business', () => {
  test.each([
    ['help@adastores.example', { kind: 'email', address: 'help@adastores.example' }],
    ['+2348031234567', { kind: 'phone', number: '+2348031234567' }],
    ['+234 803 123-4567', { kind: 'phone', number: '+2348031234567' }],
    ['https://adastores.example/help?from=pay', { kind: 'page', url: 'https://adastores.example/help?from=pay' }],
  ])('may be %s', (input, parsed) => {
    expect(parseSupport(input)).toEqual(parsed);
  });

  test.each([
    '',
    'help',
    'help@',
    'mailto:help@adastores.example',
    'help@adastores.example?cc=x@y.example',
    'help@adastores.example\n',
    '08031234567',
    '+0348031234567',
    '+234803',
    'tel:+2348031234567',
    'http://adastores.example/help',
    'https://',
    'https:///adastores.example',
    'https://user:word@adastores.example/',
    'https://adastores.example/a b',
    'https:\\\\adastores.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)//https://adastores.example',
    'data:text/html,x',
    `https://adastores.example/${'a'.repeat(475)}`,
  ])('may not be %j', (input) => {
    expect(parseSupport(input)).toBeUndefined();
  });
});

describe('a website of a business', () => {
  test.each(['https://shop.example.ng', 'https://shop.example.ng:8443', 'https://xn--bcher-kva.example'])(
    'may be %s',
    (input) => {
      expect(isWebsite(input)).toBe(true);
    },
  );

  test.each([
    '',
    'shop.example.ng',
    'http://shop.example.ng',
    'https://shop.example.ng/',
    'https://shop.example.ng:443',
    'https://Shop.example.ng',
    'https://shop.example.ng/cart',
    'https://shop.example.ng?x',
    'https://user@shop.example.ng',
    'https://*.example.ng',
    'https://shop.example.ng;script-src',
    "https://shop.example.ng' 'unsafe-inline",
    'https://shop.example.ng,evil.example',
    'https://shop.example.ng.',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
    'https://bücher.example',
    'null',
    '*',
    "'self'",
  ])('may not be %j', (input) => {
    expect(isWebsite(input)).toBe(false);
  });

  test('is always exactly one source in a Content-Security-Policy header', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string(), (url, more) => {
        for (const input of [url, new URL(url).origin, `${new URL(url).origin}${more}`]) {
          if (isWebsite(input)) expect(input).toMatch(/^https:\/\/[a-z0-9.-]+(:\d+)?$/);
        }
      }),
    );
  });
});

describe('a brand colour', () => {
  test.each([
    ['#0A7D4F', '#0a7d4f'],
    ['#ffffff', '#ffffff'],
  ])('may be %s, which is stored as %s', (input, parsed) => {
    expect(parseColor(input)).toBe(parsed);
  });

  test.each(['', '0a7d4f', '#fff', '#0a7d4g', '#0a7d4f00', 'red', '#0a7d4f;}', 'rgb(0,0,0)'])(
    'may not be %j',
    (input) => {
      expect(parseColor(input)).toBeUndefined();
    },
  );

  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
  ])('has the contrast that WCAG defines: %s on %s', (color, other, ratio) => {
    expect(contrast(color, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, color)).toBe(contrast(color, other));
  });

  test('can always be a background of readable text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
        const color = `#${rgb.toString(16).padStart(6, '0')}`;
        expect(contrast(color, textOn(color))).toBeGreaterThan(4.5);
      }),
    );
  });
});
