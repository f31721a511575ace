import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';

type Type = 'A' | 'AAAA';
/** The answer to one question: records in order, an error of RFC 1035 section 4.1.1, or no answer. */
export type NameAnswer = readonly string[] | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'silent';

export interface NameServer {
  /** The address as `address:port`. */
  readonly address: string;
  /** Every question that came, including repeated ones, such as `A hooks.example`. */
  readonly questions: string[];
  stop(): Promise<void>;
}

const HEADER_BYTES = 12;
const TYPES: Partial<Record<number, Type>> = { 1: 'A', 28: 'AAAA' };
const CNAME = 5;
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
/** A compression pointer to the name in the question. */
const POINTER_TO_QUESTION = [0xc0, HEADER_BYTES];

const parseName = (packet: Buffer): { name: string; end: number } => {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
};

const encodeName = (name: string): number[] => [
  ...name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]),
  0,
];

const encodeRecord = (owner: number[], type: number, data: number[]): number[] => [
  ...owner,
  ...[0, type, 0, 1],
  ...[0, 0, 0, 60],
  ...[0, data.length],
  ...data,
];

/** Encodes records. An address is an A or AAAA record; another text is a CNAME, and the next addresses belong to it. */
const encodeRecords = (answer: readonly string[]): number[][] => {
  let owner = POINTER_TO_QUESTION;
  return answer.map((entry) => {
    if (ipaddr.isValid(entry)) {
      const data = ipaddr.parse(entry).toByteArray();
      return encodeRecord(owner, data.length === 4 ? 1 : 28, data);
    }
    const alias = owner;
    owner = encodeName(entry);
    return encodeRecord(alias, CNAME, owner);
  });
};

const encodeAnswer = (query: Buffer, end: number, answer: Exclude<NameAnswer, 'silent'>): Buffer => {
  const encoded = typeof answer === 'string' ? [] : encodeRecords(answer);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  // Flags: an answer by a recursive server to a query that requested recursion.
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? CODES[answer] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(encoded.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), Buffer.from(encoded.flat())]);
};

/** Starts a recursive name server on loopback, over UDP (RFC 1035). `findAnswer` returns its answers. */
export const startNameServer = async (findAnswer: (name: string, type: Type) => NameAnswer): Promise<NameServer> => {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = parseName(query);
    const type = TYPES[query.readUInt16BE(end)];
    if (!type) throw new Error(`Nobody should ask for type ${query.readUInt16BE(end)} of ${name}.`);
    questions.push(`${type} ${name}`);
    const answer = findAnswer(name, type);
    // Type and class follow the name.
    if (answer !== 'silent') socket.send(encodeAnswer(query, end + 4, answer), port, address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    stop: () =>
      new Promise((resolve) => {
        socket.close(resolve);
      }),
  };
};
