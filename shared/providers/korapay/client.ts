import * as z from 'zod/mini';
import { boolean, text } from '#shared/platform/kernel/schemas.ts';
import type { ReadCredentials } from '#shared/providers/common/description.ts';
import { createProviderError } from '#shared/providers/common/error-texts.ts';
import type { ProviderAnswer, ProviderHttp, ProviderRequest } from '#shared/providers/common/http.ts';
import { isSuccess } from '#shared/providers/common/http.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { KorapayCredentials } from './description.ts';

/** Reads Korapay's secret key. */
export type ReadKorapayCredentials = ReadCredentials<KorapayCredentials>;

/** Korapay refused. Its texts only decide which refusal we report; they are never passed on. */
export interface ErrorReply {
  readonly ok: false;
  readonly status: number;
  /** The message and, where there is one, the code. */
  readonly message: string;
  /** The problems of single fields, as JSON. */
  readonly details: string;
}

/** What Korapay answered: the data with the whole body around it, or a refusal. */
export type Reply = { readonly ok: true; readonly data: unknown; readonly body: unknown } | ErrorReply;

/** One authenticated call to Korapay. @throws OutcomeUnknown, ProviderUnavailable, and the refusal `credentials` when our key is not accepted. */
export type KorapayCall = (request: Omit<ProviderRequest, 'headers'>) => Promise<Reply>;

const envelope = z.object({
  status: z.union([boolean, text]),
  message: z.nullish(text),
  code: z.nullish(text),
  data: z.optional(z.unknown()),
});

const parseReply = ({ status, json }: ProviderAnswer): Reply => {
  const { success, data: body } = envelope.safeParse(json);
  if (!success) throw new OutcomeUnknown('The answer is not one of Korapay.');
  if (isSuccess(status) && String(body.status) === 'true') return { ok: true, data: body.data, body: json };
  const message = [body.message, body.code].filter(Boolean).join(' ');
  // After Korapay's internal error the payment may exist all the same (providers.md section 3.1).
  if (/internal server error/i.test(message)) throw new OutcomeUnknown('Korapay met an error of its own.');
  return { ok: false, status, message, details: JSON.stringify(body.data ?? null) };
};

/** Whether our key was refused: by HTTP status or by the documented message, since it is not confirmed which status comes with that message. */
const isUnauthorised = ({ status, json }: ProviderAnswer): boolean =>
  status === 401 || (!isSuccess(status) && /authori[sz]ation key/i.test(envelope.safeParse(json).data?.message ?? ''));

/** Calls Korapay with our secret key. If the key is refused, reads it again and tries once more, since it may just have been rotated. */
export const korapayClient =
  (http: ProviderHttp, credentials: ReadKorapayCredentials): KorapayCall =>
  async (request) => {
    const send = ({ secretKey }: KorapayCredentials): Promise<ProviderAnswer> =>
      http({ ...request, headers: { authorization: `Bearer ${secretKey}` } });
    const first = await send(await credentials());
    const answer = isUnauthorised(first) ? await send(await credentials({ refresh: true })) : first;
    if (isUnauthorised(answer)) throw createProviderError('credentials');
    return parseReply(answer);
  };
