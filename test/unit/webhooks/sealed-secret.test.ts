import { randomBytes } from 'node:crypto';
import { isSealedUnder, openSecret, sealedSecret, sealSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { newWebhookSecret } from '#shared/webhooks/domain/signature.ts';

const KEY = 'the-key-of-a-stage-of-thirty-two-letters-or-more';
const OTHER = 'another-key-of-a-stage-of-thirty-two-letters';
const ENDPOINT = 'whe_01KDVDNX1Q9M3R6T8W2Y5A7C4E';
const SECRET = newWebhookSecret(randomBytes);
const seal = (key = KEY, endpointId = ENDPOINT) => sealSecret(key, endpointId, SECRET, randomBytes);

describe('a sealed webhook secret', () => {
  test('can be opened with its key, and reveals nothing of the secret', () => {
    const sealed = seal();
    expect(sealedSecret.safeParse(sealed).success).toBe(true);
    expect(openSecret([KEY], ENDPOINT, sealed)).toBe(SECRET);
    expect(sealed).not.toContain('whsec_');
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes(SECRET.slice(6))).toBe(false);
  });

  test('differs each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => seal())).size).toBe(100);
  });

  test('can be opened if its key is one of two keys, but not with another key', () => {
    const sealed = seal();
    expect(openSecret([OTHER, KEY], ENDPOINT, sealed)).toBe(SECRET);
    expect(openSecret([OTHER], ENDPOINT, sealed)).toBeUndefined();
    expect(openSecret([], ENDPOINT, sealed)).toBeUndefined();
    expect([isSealedUnder(KEY, sealed), isSealedUnder(OTHER, sealed)]).toEqual([true, false]);
  });

  test('cannot be opened for another endpoint', () => {
    expect(openSecret([KEY], ENDPOINT.replace('whe_01', 'whe_02'), seal())).toBeUndefined();
  });

  test('cannot be opened after a change of any character', () => {
    const sealed = seal();
    const [prefix = '', id = '', content = ''] = sealed.split('.');
    const start = `${prefix}.${id}.`.length;
    for (let at = start; at < sealed.length; at++) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'Q' : 'A'}${sealed.slice(at + 1)}`;
      // The last character has bits that belong to no byte.
      if (Buffer.from(changed.slice(start), 'base64url').equals(Buffer.from(content, 'base64url'))) continue;
      expect([at, openSecret([KEY], ENDPOINT, changed)]).toEqual([at, undefined]);
    }
    for (const cut of [10, 30, content.length - 1]) {
      expect(openSecret([KEY], ENDPOINT, `${prefix}.${id}.${content.slice(0, cut)}`)).toBeUndefined();
    }
  });

  test('cannot be a secret in clear text', () => {
    expect(openSecret([KEY], ENDPOINT, SECRET)).toBeUndefined();
    expect(isSealedUnder(KEY, SECRET)).toBe(false);
  });
});

test('a webhook secret that an earlier release sealed can still be opened', () => {
  const stored =
    'sealed.25744d96.BwcHBwcHBwcHBwcHLHDvgeAeag52CenmxP0qLMAYPcqPPAfsVC60ESO-rx5-RyZ-WapY4fPnDfaOygzU0u7dnHV0RtmCCsvRfG--in56';
  expect(openSecret([KEY], ENDPOINT, stored)).toBe(`whsec_${'A'.repeat(44)}`);
});

test('a sealed secret cannot have text before or after it', () => {
  const sealed = seal();
  for (const wrong of [` ${sealed}`, `${sealed}.`]) expect(sealedSecret.safeParse(wrong).success).toBe(false);
});
