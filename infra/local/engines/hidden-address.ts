import { randomInt } from 'node:crypto';

/*
 * Where an engine listens that answers everybody who reaches it, web pages too, and that can listen on a TCP port only. No browser
 * opens a connection to these ports for any page, by whatever name: they are "bad ports" of the Fetch standard
 * (https://fetch.spec.whatwg.org/#port-blocking), and need no rights of an administrator.
 */
const PORTS = [6667, 6666, 6668, 6669, 6665, 6697, 6679, 5060, 5061, 10_080, 4190, 4045, 3659, 2049, 1723, 1720, 1719];

/** An address of this machine. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const byte = (): number => randomInt(1, 255);

/**
 * The addresses to try, one after the other, each on the loopback interface. On Linux every address that begins with 127 is on it, so
 * each engine has one of its own, drawn from sixteen million. Elsewhere there is 127.0.0.1 alone.
 */
export const hiddenAddresses = (platform: NodeJS.Platform = process.platform): Address[] =>
  PORTS.map((port) => ({ host: platform === 'linux' ? `127.${byte()}.${byte()}.${byte()}` : '127.0.0.1', port }));
