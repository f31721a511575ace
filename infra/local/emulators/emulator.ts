/** A program or thread of the local stack that speaks the protocol of an AWS service. */
export interface Emulator {
  readonly endpoint: string;
  stop(): Promise<void>;
  /** Resolves with the reason if the emulator ends without `stop`. */
  readonly died: Promise<string>;
}
