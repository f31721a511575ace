import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { type Answer, examples, listing } from '#infra/ops/output.ts';
import type { Run } from '#infra/ops/run.ts';
import { formatTime } from '#infra/ops/views.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { assignPayment, listUnmatched } from '#shared/payments/use-cases/assign-payment.ts';
import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { findAmount, isReinstated } from '#shared/providers/domain/report.ts';
import { CHECKOUT, PAYMENT } from './example-ids.ts';

/** Formats the payee as the provider names it: our reference or an account number. */
const formatPayee = ({ money: { payee } }: UnmatchedPayment): string =>
  payee.by === 'our_reference' ? payee.reference : payee.accountNumber;

const toView = (unmatched: UnmatchedPayment) => ({
  id: unmatched.id,
  provider: unmatched.provider,
  amount: nairaFromKobo(findAmount(unmatched.money)),
  payee: formatPayee(unmatched),
  provider_reference: unmatched.money.providerReference,
  sender_name: unmatched.money.senderName,
  sender_bank: unmatched.money.senderBank,
  paid_at: formatTime(unmatched.money.paidAt),
  recorded_at: isoMicros(unmatched.recordedAt),
  kept_again: isReinstated(unmatched.money),
});

const toRow = (unmatched: UnmatchedPayment): string[] => {
  const { id, provider, amount, payee, sender_name: sender, paid_at: paidAt, kept_again: isAgain } = toView(unmatched);
  return [id, provider, amount.toFixed(2), payee, sender ?? '-', paidAt ?? '-', isAgain ? 'yes' : '-'];
};

const toListAnswer = (unmatched: readonly UnmatchedPayment[]): Answer => ({
  json: { unmatched: unmatched.map(toView) },
  text: listing(
    ['id', 'provider', 'naira', 'paid to', 'sender', 'paid at', 'reinstated'],
    unmatched.map(toRow),
    'There is no unmatched money.',
  ),
});

const assign = async (stage: Stage, paymentId: string, to: string): Promise<Answer> => {
  const { payment } = await assignPayment(stage, { paymentId, to, operator: await stage.operator() });
  const amount = nairaFromKobo(findAmount(payment.money));
  return {
    json: { payment: { id: paymentId, amount, assigned_to: to } },
    text: `Recorded ${amount.toFixed(2)} naira on ${to}. Its business gets a webhook.`,
  };
};

const askToAssign = async (stage: Stage, paymentId: string, to: string): Promise<string> => {
  const payment = (await listUnmatched(stage)).find(({ id }) => id === paymentId);
  if (!payment) throw new OperatorError(`There is no unmatched payment ${paymentId}. See: unmatched list`);
  const { amount, provider, sender_name: sender } = toView(payment);
  return `record ${amount.toFixed(2)} naira from ${sender ?? 'an unnamed sender'} through ${provider} on ${to}, and send a webhook to its business?`;
};

/** `unmatched list | assign`. */
export const addUnmatchedCommands = (program: Command, run: Run): void => {
  const group = program
    .command('unmatched')
    .description('handles money that belongs to no known checkout or virtual account');
  group.addHelpText('after', examples('unmatched list', `unmatched assign ${PAYMENT} ${CHECKOUT}`));
  group
    .command('list')
    .description('lists unmatched payments, oldest first, at most a thousand')
    .addHelpText('after', examples('unmatched list'))
    .action((_options: unknown, command: Command) =>
      run(command, async (stage) => toListAnswer(await listUnmatched(stage))),
    );
  group
    .command('assign')
    .description(
      'assigns an unmatched payment to a live checkout or virtual account of the same provider, and sends the webhook',
    )
    .argument('<payment>', 'the id of the payment')
    .argument('<owner>', 'the reference of a checkout or the id of a virtual account')
    .addHelpText('after', examples(`unmatched assign ${PAYMENT} ${CHECKOUT}`))
    .action((paymentId: string, to: string, _options: unknown, command: Command) =>
      run(
        command,
        (stage) => assign(stage, paymentId, to),
        (stage) => askToAssign(stage, paymentId, to),
      ),
    );
};
