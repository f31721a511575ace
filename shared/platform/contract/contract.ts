import type * as z from 'zod/mini';
import type { PublicErrorCode } from '#shared/platform/kernel/errors.ts';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Role } from '#shared/platform/kernel/role.ts';

/** One endpoint, as the gateway, the Middy stack, the API document and the response check use it. */
export interface Contract<
  Path extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As API Gateway writes routes: `/api/v1/checkout/verify/{reference}`. */
  readonly path: string;
  readonly summary: string;
  /** The kinds of key that may call it; none: it is the dashboard's alone. */
  readonly keys: readonly KeyKind[];
  /** The least role whose session may call it; absent where none may. */
  readonly session?: Role;
  /** Whether a session needs a passkey that was used in the last ten minutes, beyond what live mode needs anyway. */
  readonly stepUp?: true | 'live';
  /** A field of the body with which a session needs such a passkey in live mode, and without it none. */
  readonly liveStepUpField?: string;
  /** Only test keys may call it: it simulates. */
  readonly testOnly: boolean;
  /** Whether its use case writes the audit log with the change. Any other change by a session is recorded before its work. */
  readonly isRecorded?: true;
  /** Fields of the body that the record of a session's request shows: what it asks for, and nothing of a customer. */
  readonly recordedFields?: readonly string[];
  /** Whether an Idempotency-Key is honoured. */
  readonly idempotent: boolean;
  /** Whether its requests are counted apart from the key's others. */
  readonly ownRateLimit?: boolean;
  readonly params: Path;
  readonly query: Query;
  /** Null where the endpoint takes no body: then none is read and no Content-Type is required. */
  readonly body: Body | null;
  /** The largest body that it takes, in KiB; absent where that is what every endpoint takes. */
  readonly maxBodyKib?: number;
  readonly success: {
    readonly status: 200 | 201 | 202;
    readonly body: Answer;
    /** Where the body is a text of this type, and no JSON. The header `x-next-cursor` then says where a list goes on. */
    readonly type?: 'text/csv';
  };
  /** Its refusals beyond those of every endpoint. */
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
