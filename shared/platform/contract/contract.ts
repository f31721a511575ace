import type * as z from 'zod/mini';
import type { PublicErrorCode } from '#shared/platform/kernel/errors.ts';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Role } from '#shared/platform/kernel/role.ts';

/** The contract of an endpoint. The gateway, the middleware chain, the API document and the check of answers use it. */
export interface Contract<
  Path extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In the form in which API Gateway writes routes: `/api/v1/checkout/verify/{reference}`. */
  readonly path: string;
  readonly summary: string;
  /** The kinds of key that may call it. If the list is empty, only the dashboard may. */
  readonly keys: readonly KeyKind[];
  /** The lowest role whose session may call it; absent if no session may. */
  readonly session?: Role;
  /**
   * If set, a session needs a passkey that was used in the last ten minutes: always (`true`), or only in live mode (`live`). Besides, every
   * change in live mode needs a session that a passkey signed in, and a passkey that is old enough (admit-member.ts).
   */
  readonly stepUp?: true | 'live';
  /** A field of the body. In live mode, a session whose request has this field needs a passkey that was used in the last ten minutes. */
  readonly liveStepUpField?: string;
  /** Whether only test keys may call it, because it simulates. */
  readonly testOnly: boolean;
  /**
   * Whether its use case writes the audit log together with the change. If not, the middleware chain records a session's request in the
   * audit log before the handler runs.
   */
  readonly isRecorded?: true;
  /** The fields of the body that the audit log shows of a session's request. None of them may contain data of a customer. */
  readonly recordedFields?: readonly string[];
  /** Whether an Idempotency-Key is honoured. */
  readonly idempotent: boolean;
  /** Whether its requests are counted apart from the key's other requests. */
  readonly ownRateLimit?: boolean;
  readonly params: Path;
  readonly query: Query;
  /** Null if the endpoint takes no body: then none is read, and no Content-Type is required. */
  readonly body: Body | null;
  /** The largest body in KiB; absent for the limit of every endpoint. */
  readonly maxBodyKib?: number;
  readonly success: {
    readonly status: 200 | 201 | 202;
    readonly body: Answer;
    /** The type of a body that is a text, and not JSON. The header `x-next-cursor` then has the next cursor of a list. */
    readonly type?: 'text/csv';
  };
  /** The errors in addition to those of every endpoint. */
  readonly errors: readonly PublicErrorCode[];
}

/** Declares a contract and preserves the types of its four schemas. */
export const contract = <
  P extends z.ZodMiniType,
  Q extends z.ZodMiniType,
  B extends z.ZodMiniType,
  A extends z.ZodMiniType,
>(
  definition: Contract<P, Q, B, A>,
): Contract<P, Q, B, A> => definition;
