import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A listening socket, as Linux reports it. */
export interface ListeningSocket {
  readonly protocol: string;
  /** An IPv4 address in dots, or an IPv6 address in full. */
  readonly address: string;
  readonly port: number;
  readonly pid: number;
}

const listNumbers = (folder: string): number[] => readdirSync(folder).map(Number).filter(Number.isInteger);

/** Returns the result of `read`, or nothing for a process that has just ended or belongs to another user. */
const readOrNothing = <T>(read: () => readonly T[]): readonly T[] => {
  try {
    return read();
  } catch {
    return [];
  }
};

/** Reads the parent from /proc/<pid>/stat: the fourth field. The second, the name, may contain spaces. */
const readParent = (pid: number): number | undefined =>
  readOrNothing(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return [Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])];
  })[0];

/** Lists a process and all its descendants. */
export const listProcessTree = (root: number): number[] => {
  const parents = new Map(listNumbers('/proc').map((pid) => [pid, readParent(pid)]));
  const listDescendants = (pid: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === pid ? [child, ...listDescendants(child)] : []));
  return [root, ...listDescendants(root)];
};

const listInodes = (pid: number): readonly string[] =>
  readOrNothing(() => listNumbers(`/proc/${pid}/fd`)).flatMap((fd) =>
    readOrNothing(() => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? []),
  );

/** Parses an address. It is written as 32-bit words in the machine's byte order: little-endian on every Linux that has the emulator. */
const parseAddress = (hex: string): string => {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = Buffer.concat(words.map((word) => Buffer.from(word, 'hex').reverse()));
  return bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
};

/** The states of listening sockets: TCP's LISTEN, and UDP without a peer. */
const LISTENING_STATES: Readonly<Record<string, string>> = { tcp: '0A', tcp6: '0A', udp: '07', udp6: '07' };

/** Lists every listening socket of these processes. */
export const findListeningSockets = (pids: readonly number[]): ListeningSocket[] => {
  const owners = new Map(pids.flatMap((pid) => listInodes(pid).map((inode) => [inode, pid] as const)));
  return Object.entries(LISTENING_STATES).flatMap(([protocol, listeningState]) =>
    readFileSync(`/proc/net/${protocol}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        const pid = owners.get(inode);
        if (pid === undefined || state !== listeningState) return [];
        const [address = '', port = ''] = local.split(':');
        return [{ protocol, address: parseAddress(address), port: Number.parseInt(port, 16), pid }];
      }),
  );
};

/** Tells whether only this machine can reach a socket. */
export const isLoopback = ({ address }: ListeningSocket): boolean =>
  address.startsWith('127.') || /^(0000:){7}0001$|^(0000:){5}ffff:7f/.test(address);
