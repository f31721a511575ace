import * as z from 'zod/mini';
import type { ReadCredentials } from '#shared/adapters/providers/common/description.ts';
import type { ProviderAnswer, ProviderHttp, ProviderRequest } from '#shared/adapters/providers/common/http.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { boolean, text } from '#shared/domain/kernel/schemas.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { KorapayCredentials } from './description.ts';

/** How Korapay's secret key is read. */
export type ReadKorapayCredentials = ReadCredentials<KorapayCredentials>;

/** Korapay's no: its words are matched and go nowhere. */
export interface Refusal {
  readonly done: false;
  readonly status: number;
  /** The message and, where there is one, the code. */
  readonly message: string;
  /** What is wrong with which field, as JSON. */
  readonly details: string;
}

/** What Korapay answered: its data, with all that surrounds it, or a no. */
export type KorapayAnswer = { readonly done: true; readonly data: unknown; readonly body: unknown } | Refusal;

/** Asks Korapay. Throws OutcomeUnknown, ProviderUnavailable, and the refusal `credentials` when it does not accept our key. */
export type AskKorapay = (request: Omit<ProviderRequest, 'headers'>) => Promise<KorapayAnswer>;

const envelope = z.object({
  status: z.union([boolean, text]),
  message: z.nullish(text),
  code: z.nullish(text),
  data: z.optional(z.unknown()),
});

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const answerOf = ({ status, json }: ProviderAnswer): KorapayAnswer => {
  const { success, data: body } = envelope.safeParse(json);
  if (!success) throw new OutcomeUnknown('The answer is not one of Korapay.');
  if (isSuccess(status) && String(body.status) === 'true') return { done: true, data: body.data, body: json };
  const message = [body.message, body.code].filter(Boolean).join(' ');
  // Korapay says of its internal error that the payment may stand nevertheless (providers.md section 3.1).
  if (/internal server error/i.test(message)) throw new OutcomeUnknown('Korapay met an error of its own.');
  return { done: false, status, message, details: JSON.stringify(body.data ?? null) };
};

/** Which HTTP status goes with the documented message is not confirmed, so either tells it. */
const isUnauthorised = ({ status, json }: ProviderAnswer): boolean =>
  status === 401 || (!isSuccess(status) && /authori[sz]ation key/i.test(envelope.safeParse(json).data?.message ?? ''));

/** Calls to Korapay with its secret key. A key that was refused is read again and tried once more. */
export const askKorapay =
  (http: ProviderHttp, credentials: ReadKorapayCredentials): AskKorapay =>
  async (request) => {
    const send = ({ secretKey }: KorapayCredentials): Promise<ProviderAnswer> =>
      http({ ...request, headers: { authorization: `Bearer ${secretKey}` } });
    const first = await send(await credentials());
    const answer = isUnauthorised(first) ? await send(await credentials({ refresh: true })) : first;
    if (isUnauthorised(answer)) throw refused('credentials');
    return answerOf(answer);
  };

/** Reads data of Korapay. Throws OutcomeUnknown when it is not of the form it should have. */
export const readAs = <T>(schema: z.ZodMiniType<T>, data: unknown): T => {
  const parsed = schema.safeParse(data);
  // What zod would say may repeat a value.
  if (!parsed.success) throw new OutcomeUnknown('The answer of Korapay has another form.');
  return parsed.data;
};
