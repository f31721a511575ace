import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A listening socket, as Linux reports it. */
export interface ListeningSocket {
  readonly protocol: string;
  /** An IPv4 address in dots, or an IPv6 address in full. */
  readonly address: string;
  readonly port: number;
  readonly pid: number;
}

const numbersIn = (folder: string): number[] => readdirSync(folder).map(Number).filter(Number.isInteger);

/** Reads, or returns nothing for a process that has just ended or that is another user's. */
const orNothing = <T>(read: () => readonly T[]): readonly T[] => {
  try {
    return read();
  } catch {
    return [];
  }
};

/** Reads the parent from /proc/<pid>/stat: the fourth field. The second, the name, may contain spaces. */
const parentOf = (pid: number): number | undefined =>
  orNothing(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return [Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])];
  })[0];

/** Lists a process and all its descendants. */
export const processTree = (root: number): number[] => {
  const parents = new Map(numbersIn('/proc').map((pid) => [pid, parentOf(pid)]));
  const below = (pid: number): number[] =>
    [...parents].flatMap(([one, of]) => (of === pid ? [one, ...below(one)] : []));
  return [root, ...below(root)];
};

const inodesOf = (pid: number): readonly string[] =>
  orNothing(() => numbersIn(`/proc/${pid}/fd`)).flatMap((fd) =>
    orNothing(() => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? []),
  );

/** Parses an address. It is written as 32-bit words in the machine's byte order: little-endian on every Linux that has the emulator. */
const addressOf = (hex: string): string => {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = Buffer.concat(words.map((word) => Buffer.from(word, 'hex').reverse()));
  return bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
};

/** The states of listening sockets: TCP's LISTEN, and UDP without a peer. */
const WAITS: Readonly<Record<string, string>> = { tcp: '0A', tcp6: '0A', udp: '07', udp6: '07' };

/** Lists every listening socket of these processes. */
export const listeningSockets = (pids: readonly number[]): ListeningSocket[] => {
  const owners = new Map(pids.flatMap((pid) => inodesOf(pid).map((inode) => [inode, pid] as const)));
  return Object.entries(WAITS).flatMap(([protocol, waits]) =>
    readFileSync(`/proc/net/${protocol}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        const pid = owners.get(inode);
        if (pid === undefined || state !== waits) return [];
        const [address = '', port = ''] = local.split(':');
        return [{ protocol, address: addressOf(address), port: Number.parseInt(port, 16), pid }];
      }),
  );
};

/** Tells whether only this machine can reach a socket. */
export const isLoopback = ({ address }: ListeningSocket): boolean =>
  address.startsWith('127.') || /^(0000:){7}0001$|^(0000:){5}ffff:7f/.test(address);
