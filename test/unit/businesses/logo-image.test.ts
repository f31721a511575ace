import fc from 'fast-check';
import { type LogoImage, readLogo } from '#shared/businesses/domain/logo-image.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { chunk, frame, header, jpeg, PNG_START, pixels, png, segment } from '#test/support/pictures.ts';

const PAGE = Buffer.from('<!doctype html><script>alert(document.domain)</script>');
const DAMAGED = 'This file is damaged, or has data after the end of its picture. Save it again as a PNG or JPEG.';
const NEITHER = 'A logo is a PNG or JPEG. This file is neither.';

/** Returns the picture in a file, or the message of its error. */
const outcome = (file: Buffer): string | LogoImage => {
  try {
    return readLogo(file);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([error.code, error.details.errors?.map(({ field }) => field)]).toEqual(['validation_failed', ['logo']]);
    return error.details.errors?.[0]?.message ?? '';
  }
};

const palette = (colors: number) => chunk('PLTE', Buffer.alloc(3 * colors));
const parts = (...rest: readonly Buffer[]) => Buffer.concat([PNG_START, ...rest]);
const DATA = pixels(16, 16, [1, 2, 3]);
const END = chunk('IEND');
const HEAD = header(16, 16);

describe('the file of a logo', () => {
  test.each([
    ['a PNG', png(), { type: 'image/png', width: 120, height: 40 }],
    ['the smallest PNG', png(16, 16), { type: 'image/png', width: 16, height: 16 }],
    ['the largest PNG', png(1_024, 1_024), { type: 'image/png', width: 1_024, height: 1_024 }],
    ['a JPEG', jpeg(), { type: 'image/jpeg', width: 120, height: 40 }],
    ['the largest JPEG', jpeg(1_024, 1_024), { type: 'image/jpeg', width: 1_024, height: 1_024 }],
  ])('may be %s, whose bytes are kept', (_, file, expected) => {
    expect(outcome(file)).toEqual({ ...expected, bytes: file });
  });

  test('may be a PNG with a palette and clear colours, or with its pixels in several parts', () => {
    const colors = parts(header(16, 16, 3), palette(2), chunk('tRNS', Buffer.alloc(2)), DATA, END);
    expect(outcome(colors)).toMatchObject({ bytes: colors });
    const several = parts(HEAD, DATA, chunk('IDAT'), END);
    expect(outcome(several)).toMatchObject({ bytes: several });
  });

  test('loses parts that no decoder draws: texts, places, thumbnails and profiles', () => {
    const extraChunks = ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'iCCP', 'tIME', 'pHYs', 'prVt'].map((name) =>
      chunk(name, PAGE),
    );
    const before = Buffer.concat(extraChunks);
    expect(outcome(png(120, 40, { before, after: before }))).toMatchObject({ bytes: png() });
    const segments = [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xef, 0xfe].map((marker) => segment(marker, PAGE));
    expect(outcome(jpeg(120, 40, { before: Buffer.concat(segments) }))).toMatchObject({ bytes: jpeg() });
    expect(outcome(jpeg(120, 40, { between: Buffer.concat(segments) }))).toMatchObject({ bytes: jpeg() });
  });

  test('keeps the part of a JPEG that says how its colours are written', () => {
    const adobe = segment(0xee, Buffer.concat([Buffer.from('Adobe'), Buffer.from([0, 100, 0, 0, 0, 0, 2])]));
    const before = Buffer.concat([segment(0xee, Buffer.concat([Buffer.from('Adobe'), PAGE])), adobe]);
    expect(outcome(jpeg(120, 40, { before }))).toMatchObject({ bytes: jpeg(120, 40, { before: adobe }) });
  });

  test.each([
    ['a file without a byte', Buffer.alloc(0)],
    ['an HTML page', PAGE],
    ['a drawing in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')],
    ['a WebP', Buffer.from('RIFF\u0000\u0000\u0000\u0000WEBPVP8 ', 'latin1')],
    ['an icon', Buffer.from([0, 0, 1, 0, 1, 0])],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['a PNG after an HTML page', Buffer.concat([PAGE, png()])],
    ['a PNG whose lines a mail program broke', Buffer.from(png().toString('latin1').replace('\r\n', '\n'), 'latin1')],
    ['the beginning of a PNG', PNG_START.subarray(0, 7)],
    ['the beginning of a JPEG', Buffer.from([0xff])],
  ])('may not be %s', (_, file) => {
    expect(outcome(file)).toBe(NEITHER);
  });

  test.each([
    ['an HTML page after its end', Buffer.concat([png(), PAGE])],
    ['one byte after its end', Buffer.concat([png(), Buffer.from([0])])],
    ['a chunk after its end', Buffer.concat([png(), chunk('tEXt', PAGE)])],
    ['a second picture after it', Buffer.concat([png(), png()])],
    ['no end', png().subarray(0, -12)],
    ['its last byte cut off', png().subarray(0, -1)],
    ['nothing but its first bytes', PNG_START],
    ['no pixels', parts(HEAD, END)],
    ['no header', parts(DATA, END)],
    ['a header that is not first', parts(chunk('tEXt', PAGE), HEAD, DATA, END)],
    ['two headers', parts(HEAD, HEAD, DATA, END)],
    ['a header that is too long', parts(chunk('IHDR', Buffer.alloc(14)), DATA, END)],
    ['a header that is too short', parts(chunk('IHDR', Buffer.alloc(4)), DATA, END)],
    ['a depth that its colours do not have', parts(header(16, 16, 6, 1), DATA, END)],
    ['an unknown type of colour', parts(header(16, 16, 5), DATA, END)],
    ['colours from a palette that is missing', parts(header(16, 16, 3), DATA, END)],
    ['a palette of half a colour', parts(header(16, 16, 3), chunk('PLTE', Buffer.alloc(4)), DATA, END)],
    ['a palette of 257 colours', parts(header(16, 16, 3), palette(257), DATA, END)],
    ['a palette after its pixels', parts(header(16, 16, 3), DATA, palette(2), END)],
    ['two palettes', parts(header(16, 16, 3), palette(2), palette(2), DATA, END)],
    ['an HTML page in place of its clear colours', parts(HEAD, chunk('tRNS', Buffer.alloc(257)), DATA, END)],
    ['pixels in two places', parts(HEAD, DATA, chunk('tRNS', Buffer.alloc(2)), DATA, END)],
    ['something in its end', parts(HEAD, DATA, chunk('IEND', PAGE))],
    ['two ends', parts(HEAD, DATA, END, END)],
    ['a chunk that no decoder may leave out', parts(HEAD, chunk('EVIL', PAGE), DATA, END)],
    ['a length beyond its end', parts(HEAD, Buffer.from('ffffffff49444154', 'hex'), DATA, END)],
    ['a wrong checksum', Buffer.from(png()).fill(7, png().length - 4)],
    ['a byte that was changed', Buffer.from(png()).fill(7, 60, 61)],
  ])('may not be a PNG with %s', (_, file) => {
    expect(outcome(file)).toBe(DAMAGED);
  });

  test.each(['acTL', 'fcTL', 'fdAT'])('may not be an animated PNG: %s', (name) => {
    expect(outcome(png(120, 40, { before: chunk(name, Buffer.alloc(8)) }))).toBe(
      'This PNG is animated. Save one picture of it as a PNG or JPEG.',
    );
  });

  const photo = jpeg();
  const scansOf = (count: number) => Array(count).fill(segment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])));
  const cutAndJoin = (at: number, ...rest: readonly Buffer[]) => Buffer.concat([photo.subarray(0, at), ...rest]);
  test.each([
    ['an HTML page after its end', Buffer.concat([photo, PAGE])],
    ['one byte after its end', Buffer.concat([photo, Buffer.from([0xff])])],
    ['a second picture after it', Buffer.concat([photo, photo])],
    ['no end', photo.subarray(0, -2)],
    ['its last byte cut off', photo.subarray(0, -1)],
    ['nothing but its first bytes', photo.subarray(0, 3)],
    ['no frame', cutAndJoin(71, photo.subarray(84))],
    ['two frames', cutAndJoin(71, frame(16, 16), photo.subarray(71))],
    ['a frame after its scan', cutAndJoin(71, photo.subarray(84, -2), frame(120, 40), photo.subarray(-2))],
    ['a frame that browsers do not draw', cutAndJoin(71, frame(120, 40, 0xc3), photo.subarray(84))],
    ['arithmetic codes', cutAndJoin(71, segment(0xcc, Buffer.alloc(2)), photo.subarray(71))],
    [
      'a height that comes later',
      Buffer.concat([photo.subarray(0, -2), segment(0xdc, Buffer.alloc(2)), photo.subarray(-2)]),
    ],
    ['no scan', cutAndJoin(2, frame(120, 40), photo.subarray(-2))],
    ['twelve bits a sample', cutAndJoin(75, Buffer.from([12]), photo.subarray(76))],
    [
      'data after the fields of its frame',
      cutAndJoin(71, segment(0xc0, Buffer.concat([Buffer.from('08002800780101', 'hex'), PAGE])), photo.subarray(84)),
    ],
    ['something between its segments', cutAndJoin(71, PAGE, photo.subarray(71))],
    ['a length beyond its end', cutAndJoin(71, Buffer.from([0xff, 0xe1, 0xff, 0xff]), photo.subarray(71))],
    ['a length of nothing', cutAndJoin(71, Buffer.from([0xff, 0xe1, 0, 0]), photo.subarray(71))],
    ['more scans than a picture has', Buffer.concat([photo.subarray(0, -2), ...scansOf(64), photo.subarray(-2)])],
    ['a start within it', cutAndJoin(71, Buffer.from([0xff, 0xd8]), photo.subarray(71))],
  ])('may not be a JPEG with %s', (_, file) => {
    expect(outcome(file)).toBe(DAMAGED);
  });

  test('may be a JPEG with the most scans that are allowed', () => {
    const file = Buffer.concat([photo.subarray(0, -2), ...scansOf(63), photo.subarray(-2)]);
    expect(outcome(file)).toMatchObject({ type: 'image/jpeg', bytes: file });
  });

  test('may be a JPEG with restarts and filled markers', () => {
    const scan = Buffer.from([0, 0xff, 0, 0xff, 0xd0, 0, 0xff, 0xd7, 0, 0xff]);
    const file = Buffer.concat([photo.subarray(0, -2), scan, photo.subarray(-2)]);
    expect(outcome(file)).toMatchObject({ type: 'image/jpeg', width: 120 });
  });

  test.each([
    [15, 40],
    [120, 15],
    [1_025, 40],
    [40, 1_025],
    [0, 0],
    [0xffffffff, 0xffffffff],
    [50_000, 50_000],
  ])('may not have sides of %i and %i pixels', (width, height) => {
    expect(outcome(parts(header(width, height), DATA, END))).toBe(
      `A logo is 16 to 1024 pixels wide and high. This one is ${width} wide and ${height} high.`,
    );
    if (width <= 0xffff) expect(outcome(jpeg().fill(frame(width, height), 71, 84))).toContain('16 to 1024');
  });

  test('has at most 65,536 bytes', () => {
    const filled = (size: number) =>
      png(16, 16, { before: chunk('tEXt', Buffer.alloc(size - png(16, 16).length - 12)) });
    expect(filled(65_536)).toHaveLength(65_536);
    expect(outcome(filled(65_536))).toMatchObject({ width: 16 });
    expect(outcome(filled(65_537))).toBe('A logo has at most 64 kB. This file has 65 kB.');
    expect(outcome(Buffer.alloc(1_048_576))).toBe('A logo has at most 64 kB. This file has 1024 kB.');
  });

  test('causes an answer, never a crash, if anything in it is changed or cut', () => {
    const files = [png(24, 24), jpeg(24, 24), parts(header(16, 16, 3), palette(2), DATA, END)];
    const change = fc.record({
      file: fc.constantFrom(...files),
      at: fc.nat(400),
      change: fc.uint8Array({ maxLength: 8 }),
      cut: fc.nat(400),
    });
    fc.assert(
      fc.property(change, ({ file, at, change: bytes, cut }) => {
        const changed = Buffer.concat([file.subarray(0, at), bytes, file.subarray(at + bytes.length)]);
        for (const input of [changed, changed.subarray(0, cut)]) {
          const result = outcome(input);
          // A picture that was accepted is read again unchanged.
          if (typeof result !== 'string') expect(outcome(result.bytes)).toEqual(result);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
