import * as z from 'zod/mini';
import { metadataText } from '#shared/platform/kernel/metadata.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { text, textOrNull } from '#shared/platform/kernel/schemas.ts';

/** Fields that a business sets when it starts a checkout, and reads back unchanged. */
export const merchantFields = z.object({
  payerEmail: personal('address', text),
  payerName: personal('name', textOrNull),
  merchantReference: personal('none', textOrNull),
  metadata: metadataText,
  /** Text for the payer about the purchase. */
  description: personal('free', textOrNull),
  /** Return URL after the payment. */
  callbackUrl: personal('free', textOrNull),
  /** Return URL if the payer cancels. */
  cancelUrl: personal('free', textOrNull),
});

/** A fictitious order at a shop in Lagos. It is part of the examples of webhooks, of the API document and of tests. */
export const EXAMPLE_ORDER: z.infer<typeof merchantFields> = {
  payerEmail: 'tunde.bakare@example.com',
  payerName: 'Tunde Bakare',
  merchantReference: 'ORDER-2026-00417',
  metadata: '{"cart":"ankara-6-yards"}',
  description: 'Six yards of ankara',
  callbackUrl: 'https://shop.adastores.example/orders/417',
  cancelUrl: 'https://shop.adastores.example/cart',
};
