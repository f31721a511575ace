import * as z from 'zod/mini';
import { instant, metadataAnswer } from '#shared/contract/kernel/answer-fields.ts';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { text, textOrNull } from '#shared/domain/kernel/schemas.ts';
import { providerName } from '#shared/domain/providers/provider.ts';

export const virtualAccountAnswer = z.object({
  id: idSchema('va'),
  provider: providerName,
  account_number: textOrNull,
  account_name: textOrNull,
  bank_name: textOrNull,
  bank_code: textOrNull,
  customer_name: text,
  customer_phone: textOrNull,
  customer_email: textOrNull,
  metadata: metadataAnswer,
  mode,
  status: z.enum(['active', 'inactive', 'pending', 'failed']),
  created_at: instant,
  deactivated_at: z.nullable(instant),
});
