import { deflateSync } from 'node:zlib';
import { crc32 } from '#shared/platform/kernel/crc32.ts';

/* Makes real pictures that a decoder can draw. */

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const uint32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
};
const uint16 = (value: number): Buffer => uint32(value).subarray(2);

export const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');

/** Makes a chunk of a PNG, with its checksum. */
export const chunk = (name: string, content: Buffer = Buffer.alloc(0)): Buffer => {
  const checked = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  return Buffer.concat([uint32(content.length), checked, uint32(crc32(checked))]);
};

/** Makes the first chunk of a PNG of 8 bits a sample. Colour type 6 is red, green, blue and opacity. */
export const header = (width: number, height: number, color = 6, depth = 8): Buffer =>
  chunk('IHDR', Buffer.concat([uint32(width), uint32(height), bytes(depth, color, 0, 0, 0)]));

/** Makes the pixels of a PNG of one colour. */
export const pixels = (width: number, height: number, [r, g, b]: readonly [number, number, number]): Buffer =>
  chunk(
    'IDAT',
    deflateSync(
      Buffer.from(
        Array(height)
          .fill([0, ...Array(width).fill([r, g, b, 255]).flat()])
          .flat(),
      ),
    ),
  );

interface PngParts {
  readonly color?: readonly [number, number, number];
  readonly before?: Buffer;
  readonly after?: Buffer;
}

/** Makes a PNG of one colour. `before` and `after` are chunks around its pixels. */
export const png = (
  width = 120,
  height = 40,
  { color = [200, 30, 60], before = Buffer.alloc(0), after = Buffer.alloc(0) }: PngParts = {},
): Buffer =>
  Buffer.concat([PNG_START, header(width, height), before, pixels(width, height, color), after, chunk('IEND')]);

/** Makes a segment of a JPEG. */
export const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([bytes(0xff, marker), uint16(content.length + 2), content]);

/** Makes the segment of a JPEG with its size. */
export const frame = (width: number, height: number, marker = 0xc0): Buffer =>
  segment(marker, Buffer.concat([bytes(8), uint16(height), uint16(width), bytes(1, 1, 0x11, 0)]));

/** Makes a grey JPEG: each block of 8 × 8 pixels is two bits, without difference and detail. `before`: segments before its frame. */
export const jpeg = (
  width = 120,
  height = 40,
  { before = Buffer.alloc(0), between = Buffer.alloc(0) }: { before?: Buffer; between?: Buffer } = {},
): Buffer => {
  const onlyZero = (table: number) => Buffer.concat([bytes(table, 1), Buffer.alloc(15), bytes(0)]);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    bytes(0xff, 0xd8),
    before,
    segment(0xdb, Buffer.concat([bytes(0), Buffer.alloc(64, 1)])),
    frame(width, height),
    segment(0xc4, onlyZero(0x00)),
    segment(0xc4, onlyZero(0x10)),
    between,
    segment(0xda, bytes(1, 1, 0, 0, 63, 0)),
    Buffer.alloc(Math.ceil(blocks / 4)),
    bytes(0xff, 0xd9),
  ]);
};

/** Makes a PNG of an exact number of bytes, with meaningless pixels. */
export const makePngOfSize = (size: number): Buffer => {
  const noise = Buffer.from(
    Array.from({ length: size - png().length - chunk('IDAT').length }, (_, i) => (i * 7_919) % 251),
  );
  return png(120, 40, { before: chunk('IDAT', noise) });
};
