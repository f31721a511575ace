import fc from 'fast-check';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { OTHER_SHOP, SHOP } from './examples.ts';

const SECRET = 'a-hash-key-for-tests-of-enough-length';
const tenant = { businessId: SHOP, mode: 'test' } as const;
const POSITION = '01KA0000000000000000000417';

const cursorAt = (next: string | null): string | null =>
  listReply(SECRET, tenant, 'checkouts', { items: [], next }, (item) => item).body.meta.next_cursor;
const cursor = String(cursorAt(POSITION));

describe('a list page', () => {
  test('begins at the newest without a cursor', () => {
    expect(readPageRequest(SECRET, tenant, 'checkouts', { limit: 25 })).toEqual({ limit: 25, after: null });
  });

  test('continues after the list page before, whatever positions look like', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 100 }), (next, limit) => {
        const issued = cursorAt(next);
        expect(issued).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(readPageRequest(SECRET, tenant, 'checkouts', { limit, cursor: String(issued) })).toEqual({
          limit,
          after: next,
        });
      }),
    );
  });

  test('says whether there are more list pages', () => {
    const page = (next: string | null) =>
      listReply(SECRET, tenant, 'checkouts', { items: [1, 2], next }, (n) => n * 10);
    expect(page(null)).toEqual({
      status: 200,
      body: { status: true, data: [10, 20], meta: { has_more: false, next_cursor: null } },
    });
    expect(page(POSITION).body.meta).toEqual({ has_more: true, next_cursor: cursor });
  });

  test.each([
    ['another business', { businessId: OTHER_SHOP, mode: 'test' }, 'checkouts', SECRET],
    ['the other mode', { businessId: SHOP, mode: 'live' }, 'checkouts', SECRET],
    ['another list', tenant, 'virtual-accounts', SECRET],
    ['another stage', tenant, 'checkouts', `${SECRET}!`],
  ] as const)('refuses a cursor of %s', (_, other, list, secret) => {
    expect(() => readPageRequest(secret, other, list, { limit: 25, cursor })).toThrow(ApiError);
  });

  test.each(['', 'x', 'not a cursor', '////', '£', cursor.slice(0, 20), cursor.slice(1), `${cursor}AAAA`])(
    'refuses a cursor that we did not issue: %p',
    (forged) => {
      expect(() => readPageRequest(SECRET, tenant, 'checkouts', { limit: 25, cursor: forged })).toThrow(
        expect.objectContaining({
          code: 'validation_failed',
          details: { errors: [{ field: 'cursor', message: expect.stringMatching(/^cursor must .+\.$/) }] },
        }),
      );
    },
  );

  test('refuses a cursor with any byte changed', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        const forged = changed.toString('base64url');
        expect(() => readPageRequest(SECRET, tenant, 'checkouts', { limit: 25, cursor: forged })).toThrow(ApiError);
      }),
    );
  });
});
