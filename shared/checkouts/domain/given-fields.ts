import * as z from 'zod/mini';
import { metadataText } from '#shared/platform/kernel/metadata.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { text, textOrNull } from '#shared/platform/kernel/schemas.ts';

/** The fields that a business gives when it starts a checkout, and reads back unchanged. */
export const merchantFields = z.object({
  payerEmail: personal('address', text),
  payerName: personal('name', textOrNull),
  merchantReference: personal('none', textOrNull),
  metadata: metadataText,
  /** What the payer reads of what is paid for. */
  description: personal('free', textOrNull),
  /** Where the payment page leads once it is paid, and where when the payer gives up. */
  callbackUrl: personal('free', textOrNull),
  cancelUrl: personal('free', textOrNull),
});

/** An order at a shop in Lagos. The examples of webhooks, of the API document and of tests are made of it. */
export const EXAMPLE_ORDER: z.infer<typeof merchantFields> = {
  payerEmail: 'tunde.bakare@example.com',
  payerName: 'Tunde Bakare',
  merchantReference: 'ORDER-2026-00417',
  metadata: '{"cart":"ankara-6-yards"}',
  description: 'Six yards of ankara',
  callbackUrl: 'https://shop.adastores.example/orders/417',
  cancelUrl: 'https://shop.adastores.example/cart',
};
