/** A program or a thread of this stack that speaks an AWS service's protocol. */
export interface Emulator {
  readonly endpoint: string;
  stop(): Promise<void>;
  /** Resolves with the reason when it ends without having been stopped. */
  readonly died: Promise<string>;
}
