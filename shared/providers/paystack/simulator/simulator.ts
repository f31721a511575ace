import type { ProviderSimulator } from '#shared/providers/common/simulator/provider.ts';
import { playPaystack } from './provider.ts';
import { PAYSTACK_DEFAULT, type PaystackReading } from './readings.ts';
import { PAYSTACK_TRIAL } from './tried.ts';

const credentials = { secretKey: 'sk_test_simulator_of_paystack' };

export const paystackSimulator = {
  path: '',
  numberPrefix: '99',
  credentials,
  settings: { customerEmailDomain: 'accounts.example.com' },
  preference: PAYSTACK_DEFAULT,
  trial: PAYSTACK_TRIAL,
  play: (parts) => playPaystack(parts, credentials.secretKey),
} satisfies ProviderSimulator<PaystackReading>;
