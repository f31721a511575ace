import { crc32 } from '#shared/platform/kernel/crc32.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';
import { LOGO_BYTES, LOGO_SIDE } from './logo-limits.ts';
import type { Logo } from './profile.ts';

/*
 * Reads the file of a logo as PNG (ISO/IEC 15948) or JPEG (ITU-T T.81), from its first byte to its last, and writes it anew with only the parts
 * that are drawn. So a location, an author, a thumbnail or a text that a program added to the file is removed.
 */

/** A picture that may be shown, without the other parts of its file. */
export interface LogoImage extends Omit<Logo, 'id'> {
  readonly bytes: Buffer;
}

/** A part of a file: a chunk of a PNG, with its name, or a segment of a JPEG, with its marker as the name. */
interface Part<Name> {
  readonly name: Name;
  /** All bytes of the part. */
  readonly bytes: Buffer;
}

const refuse = (message: string): never => {
  throw invalid({ field: 'logo', message });
};
const refuseDamaged = (): never =>
  refuse('This file is damaged, or has data after the end of its picture. Save it again as a PNG or JPEG.');

const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');
/** The bytes of a chunk's length, name and checksum together. */
const CHUNK_FRAME = 12;
/** The chunks that are drawn, in the order that a PNG has them. */
const DRAWN_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
/** The chunks of an animated PNG. */
const MOVING_CHUNKS = ['acTL', 'fcTL', 'fdAT'];
/** The numbers of bits that a sample may have, by the colour type in the header. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const WITH_PALETTE = 3;
const HEADER_BYTES = 13;
const MOST_COLORS = 256;

const readChunks = (file: Buffer): Part<string>[] => {
  const chunks: Part<string>[] = [];
  for (let at = PNG_START.length; at < file.length; ) {
    const end = at + CHUNK_FRAME <= file.length ? at + CHUNK_FRAME + file.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    if (end > file.length) return refuseDamaged();
    const bytes = file.subarray(at, end);
    if (crc32(bytes.subarray(4, -4)) !== bytes.readUInt32BE(bytes.length - 4)) return refuseDamaged();
    chunks.push({ name: bytes.toString('latin1', 4, 8), bytes });
    at = end;
  }
  return chunks;
};

const dataLength = ({ bytes }: Part<string>): number => bytes.length - CHUNK_FRAME;

/** Checks whether a decoder may leave a chunk out: the first letter of its name is lower case. */
const isOptional = (name: string): boolean => /^[a-z]/.test(name);

const isHeader = (chunk: Part<string>): boolean => {
  if (dataLength(chunk) !== HEADER_BYTES) return false;
  const [depth = 0, color = 0, packing, filter, interlace = 0] = chunk.bytes.subarray(16, 21);
  return DEPTHS[color]?.includes(depth) === true && packing === 0 && filter === 0 && interlace <= 1;
};

const isPalette = (chunk: Part<string>): boolean => {
  const colors = dataLength(chunk) / 3;
  return Number.isInteger(colors) && colors >= 1 && colors <= MOST_COLORS;
};

/**
 * Checks whether the drawn chunks form one picture. They must be in order. Only IDAT may occur more than once. No chunk except IDAT may be long
 * enough to hide other data.
 */
const isPicture = (drawn: readonly Part<string>[]): boolean => {
  const chunksNamed = (name: string) => drawn.filter((chunk) => chunk.name === name);
  const places = drawn.map(({ name }) => DRAWN_CHUNKS.indexOf(name));
  const [[header, ...headers], palettes, transparencies, data, endChunks] = DRAWN_CHUNKS.map(chunksNamed) as [
    Part<string>[],
    Part<string>[],
    Part<string>[],
    Part<string>[],
    Part<string>[],
  ];
  return (
    header !== undefined &&
    headers.length === 0 &&
    isHeader(header) &&
    places.every((place, i) => place >= (places[i - 1] ?? 0)) &&
    palettes.length <= 1 &&
    palettes.every(isPalette) &&
    (header.bytes[17] !== WITH_PALETTE || palettes.length === 1) &&
    transparencies.length <= 1 &&
    transparencies.every((chunk) => dataLength(chunk) <= MOST_COLORS) &&
    data.length >= 1 &&
    endChunks.length === 1 &&
    endChunks.every((chunk) => dataLength(chunk) === 0)
  );
};

const readPng = (file: Buffer): LogoImage => {
  const chunks = readChunks(file);
  if (chunks.some(({ name }) => MOVING_CHUNKS.includes(name))) {
    return refuse('This PNG is animated. Save one picture of it as a PNG or JPEG.');
  }
  const drawn = chunks.filter(({ name }) => DRAWN_CHUNKS.includes(name));
  const [header] = chunks;
  const isKnown = chunks.every(({ name }) => DRAWN_CHUNKS.includes(name) || isOptional(name));
  if (!header || header !== drawn[0] || chunks.at(-1)?.name !== 'IEND' || !isKnown || !isPicture(drawn)) {
    return refuseDamaged();
  }
  const [width, height] = [header.bytes.readUInt32BE(8), header.bytes.readUInt32BE(12)];
  return { type: 'image/png', width, height, bytes: Buffer.concat([PNG_START, ...drawn.map(({ bytes }) => bytes)]) };
};

const [SOI, EOI, SOS, DHT, DQT, DRI, APP14, COM] = [0xd8, 0xd9, 0xda, 0xc4, 0xdb, 0xdd, 0xee, 0xfe];
const JPEG_START = Buffer.from([0xff, SOI]);
const JPEG_END = Buffer.from([0xff, EOI]);
/** The frames that browsers draw: baseline, extended and progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const DRAWN_SEGMENTS = [...FRAMES, DHT, DQT, DRI, SOS];
/**
 * The most scans of a JPEG. A usual picture has about ten. A browser draws the whole picture for each scan, so thousands of scans would keep a
 * payer's phone busy.
 */
const MAX_SCANS = 64;
/** The bytes of an Adobe segment, which says how colours are encoded, with its marker and length. */
const ADOBE_BYTES = 16;

const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef;

/** Finds the end of a scan's data: the next marker that is not part of it. */
const endOfScan = (file: Buffer, from: number): number => {
  for (let at = from; at + 1 < file.length; at++) {
    const next = file[at + 1] ?? 0;
    const isPartOfScan = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (file[at] === 0xff && !isPartOfScan) return at;
  }
  return refuseDamaged();
};

/** Reads the segments between the start and the end of the picture. The file must end with the picture. */
const readSegments = (file: Buffer): Part<number>[] => {
  const segments: Part<number>[] = [];
  for (let at = JPEG_START.length; ; ) {
    if (file[at] !== 0xff) return refuseDamaged();
    const marker = file[at + 1];
    if (marker === EOI && at + 2 === file.length) return segments;
    // Any number of these bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isKnown =
      marker !== undefined && (DRAWN_SEGMENTS.includes(marker) || isApplication(marker) || marker === COM);
    if (!isKnown || at + 4 > file.length) return refuseDamaged();
    const length = file.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > file.length) return refuseDamaged();
    const next = marker === SOS ? endOfScan(file, end) : end;
    segments.push({ name: marker, bytes: file.subarray(at, next) });
    at = next;
  }
};

const isFrame = ({ name }: Part<number>): boolean => FRAMES.includes(name);

const isAdobe = ({ name, bytes }: Part<number>): boolean =>
  name === APP14 && bytes.length === ADOBE_BYTES && bytes.toString('latin1', 4, 9) === 'Adobe';

const readJpeg = (file: Buffer): LogoImage => {
  const drawn = readSegments(file).filter((part) => DRAWN_SEGMENTS.includes(part.name) || isAdobe(part));
  const [frame, ...frames] = drawn.filter(isFrame);
  const firstScan = drawn.findIndex(({ name }) => name === SOS);
  const scans = drawn.filter(({ name }) => name === SOS).length;
  if (!frame || frames.length > 0 || firstScan < drawn.indexOf(frame) || scans > MAX_SCANS) return refuseDamaged();
  const [precision, components = 0] = [frame.bytes[4], frame.bytes[9]];
  const isDrawn = precision === 8 && [1, 3, 4].includes(components) && frame.bytes.length === 10 + 3 * components;
  if (!isDrawn) return refuseDamaged();
  const [height, width] = [frame.bytes.readUInt16BE(5), frame.bytes.readUInt16BE(7)];
  const bytes = Buffer.concat([JPEG_START, ...drawn.map((part) => part.bytes), JPEG_END]);
  return { type: 'image/jpeg', width, height, bytes };
};

const isSide = (pixels: number): boolean => pixels >= LOGO_SIDE.least && pixels <= LOGO_SIDE.most;

/**
 * Reads the picture in a file of at most 64 kB, and leaves out what is not drawn.
 * @throws ApiError `validation_failed`, which says what is wrong with the file.
 */
export const readLogo = (file: Buffer): LogoImage => {
  if (file.length > LOGO_BYTES) {
    return refuse(`A logo has at most 64 kB. This file has ${Math.ceil(file.length / 1_024)} kB.`);
  }
  const isPng = file.subarray(0, PNG_START.length).equals(PNG_START);
  const isJpeg = file.subarray(0, JPEG_START.length).equals(JPEG_START);
  if (!isPng && !isJpeg) return refuse('A logo is a PNG or JPEG. This file is neither.');
  const image = isPng ? readPng(file) : readJpeg(file);
  if (isSide(image.width) && isSide(image.height)) return image;
  const { least, most } = LOGO_SIDE;
  return refuse(
    `A logo is ${least} to ${most} pixels wide and high. This one is ${image.width} wide and ${image.height} high.`,
  );
};
