/** CRC-32 of a text's UTF-8 bytes, unsigned, as `node:zlib` has it: loading that module alone would cost every cold start a millisecond or more. */
export const crc32 = (text: string): number => {
  let crc = ~0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
};
