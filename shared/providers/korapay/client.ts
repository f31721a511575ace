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

/** An error answer of Korapay. Its texts only select our own error text and are never passed on. */
export interface ErrorReply {
  readonly ok: false;
  readonly status: number;
  /** The message, followed by the code if there is one. */
  readonly message: string;
  /** The problems of single fields, as JSON. */
  readonly details: string;
}

/** Korapay's answer: the data and the whole body, or an error. */
export type Reply = { readonly ok: true; readonly data: unknown; readonly body: unknown } | ErrorReply;

/** Calls Korapay with our key. @throws OutcomeUnknown, ProviderUnavailable, and the ProviderError `credentials` if Korapay rejects our key. */
export type KorapayCall = (request: Omit<ProviderRequest, 'headers'>) => Promise<Reply>;

const envelope = z.object({
  status: z.union([boolean, text]),
  message: z.nullish(text),
  code: z.nullish(text),
  data: z.optional(z.unknown()),
});

const parseReply = ({ status, json }: ProviderAnswer): Reply => {
  const { success, data: body } = envelope.safeParse(json);
  if (!success) throw new OutcomeUnknown("The answer does not have the form of Korapay's answers.");
  if (isSuccess(status) && String(body.status) === 'true') return { ok: true, data: body.data, body: json };
  const message = [body.message, body.code].filter(Boolean).join(' ');
  // After an internal error of Korapay the payment may exist all the same (providers.md section 3.1).
  if (/internal server error/i.test(message)) throw new OutcomeUnknown('Korapay reported an internal error.');
  return { ok: false, status, message, details: JSON.stringify(body.data ?? null) };
};

/** Whether Korapay rejected our key. It tests the HTTP status and the documented message, because the status of that message is not confirmed. */
const isUnauthorised = ({ status, json }: ProviderAnswer): boolean =>
  status === 401 || (!isSuccess(status) && /authori[sz]ation key/i.test(envelope.safeParse(json).data?.message ?? ''));

/** Creates the client of Korapay. If the key is rejected, it is read again and the call is sent once more: the key may just have been rotated. */
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
