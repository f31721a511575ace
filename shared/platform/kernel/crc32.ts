/** Computes the CRC-32 of bytes or of a text in UTF-8, unsigned, as `node:zlib` does. Loading that module costs a cold start a millisecond or more. */
export const crc32 = (content: string | Uint8Array): number => {
  let crc = ~0;
  for (const byte of Buffer.from(content)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
};
