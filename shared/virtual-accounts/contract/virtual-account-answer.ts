import * as z from 'zod/mini';
import { instant, metadataAnswer } from '#shared/platform/contract/answer-fields.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

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
