import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { pageLink, readPageLink } from '#shared/checkouts/domain/page-link.ts';
import { PAGE_USES } from '#shared/checkouts/domain/page-uses.ts';

const KEY = 'a-key-of-links-of-a-stage-of-32-characters';
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const references = fc.array(character, { minLength: 20, maxLength: 20 }).map((all) => `PAY-${all.join('')}`);

describe('a payment page link', () => {
  test('consists of the reference and half of its keyed hash', () => {
    const hash = createHmac('sha256', KEY).update(`pay-page${REFERENCE}`).digest('hex').slice(0, 32);
    const [reference, tag = ''] = pageLink(KEY, REFERENCE).split('.');
    expect(reference).toBe(REFERENCE);
    expect(Buffer.from(tag, 'base64url').toString('hex')).toBe(hash);
  });

  test('leads back to its reference', () => {
    fc.assert(
      fc.property(references, (reference) => {
        expect(readPageLink([KEY], pageLink(KEY, reference))).toBe(reference);
      }),
    );
  });

  test('leads back to its reference under either of two keys during a rotation, and is made with the first key', () => {
    const link = pageLink(KEY, REFERENCE);
    expect(readPageLink(['another-key-of-links', KEY], link)).toBe(REFERENCE);
    expect(readPageLink([KEY, 'another-key-of-links'], link)).toBe(REFERENCE);
  });

  test('opens nothing under another key, or with the tag of another checkout', () => {
    const link = pageLink(KEY, REFERENCE);
    expect(readPageLink([`${KEY}2`], link)).toBeUndefined();
    expect(readPageLink([KEY], link.replace('PAY-7', 'PAY-8'))).toBeUndefined();
  });

  test('opens nothing after a change of any character', () => {
    const link = pageLink(KEY, REFERENCE);
    for (let at = 0; at < link.length; at++) {
      for (const other of ['A', 'Q', 'g', 'w', '0', '-', '.', '=', ' ']) {
        const changed = link.slice(0, at) + other + link.slice(at + 1);
        if (changed !== link) expect([changed, readPageLink([KEY], changed)]).toEqual([changed, undefined]);
      }
    }
  });

  test.each([
    ['nothing', ''],
    ['a reference alone', REFERENCE],
    ['an empty tag', `${REFERENCE}.`],
    ['a tag cut short', pageLink(KEY, REFERENCE).slice(0, -1)],
    ['a tag with padding', `${pageLink(KEY, REFERENCE)}==`],
    ['a tag alone', pageLink(KEY, REFERENCE).slice(REFERENCE.length)],
    ['a link to something that is no reference of ours', pageLink(KEY, 'PAY-1')],
    ['characters beyond ASCII', `${REFERENCE}.${'é'.repeat(22)}`],
  ])('opens nothing if it is %s', (_, link) => {
    expect(readPageLink([KEY], link)).toBeUndefined();
  });

  test('allows at most twenty reports and fifty simulations', () => {
    expect(PAGE_USES).toEqual({ report: 20, simulation: 50 });
  });
});
