import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { type ApiAnswer, createApiClient } from '#test/support/worlds/api-client.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import type { Deps } from './lives.ts';
import type { IntendedTransfer } from './money-payers.ts';
import { failAtOpening, readShown } from './money-routes.ts';
import type { Chaos } from './money-stage.ts';

/** How many checkouts people ask about: the latest ones, which were opened within about half an hour. */
const LATEST = 30;

/** The probability that a merchant who requeries a checkout also requests another account. */
const ANOTHER = 0.1;

/** A checkout about which somebody may ask. */
interface KnownCheckout {
  readonly reference: string;
  readonly business: Chaos['businesses'][number];
}

/**
 * Simulates impatient people, each in a life of its own: merchants who requery a checkout or request another account, and payers who say
 * that they have paid. `random` returns numbers in [0, 1).
 */
export const createAskers = ({ world, lives }: Chaos, random: () => number) => {
  let known: KnownCheckout[] = [];
  const answers: Record<string, number> = {};
  const ask = async (asker: string, call: (deps: Deps) => Promise<ApiAnswer>): Promise<ApiAnswer | undefined> => {
    const answer = await lives
      .begin()
      .run(call)
      .catch(() => undefined);
    const outcome = `${asker} ${answer?.status ?? 'none'}`;
    answers[outcome] = (answers[outcome] ?? 0) + 1;
    return answer;
  };
  const requestAnotherAccount = async ({
    reference,
    business,
  }: KnownCheckout): Promise<IntendedTransfer | undefined> => {
    const answer = await ask('another account', (deps) => {
      const failing = failAtOpening(deps, random, lives.faultCounts);
      return createApiClient({ ...world, deps: failing }, business.keys.secret_live).anotherAccount(reference);
    });
    return answer?.status === 200 ? readShown(answer) : undefined;
  };
  const startQuestions = ({ reference, business }: KnownCheckout): Promise<unknown>[] => [
    ...(random() < ANOTHER ? [requestAnotherAccount({ reference, business })] : []),
    ask('requery', (deps) => createApiClient({ ...world, deps }, business.keys.secret_live).requery(reference)),
    ask('payer', (deps) => {
      const page = payersPage({ deps });
      return page.sent(page.linkOf(reference));
    }),
  ];

  return {
    /** Counts the answers to each kind of asker by status. A life that ended before the answer counts as `none`. */
    answers,
    addCheckout: (reference: string, business: KnownCheckout['business']): void => {
      known = [...known, { reference, business }].slice(-LATEST);
    },
    /** Lets the merchant and the payer of a share of the checkouts ask at once. */
    askAbout: async (share: number): Promise<void> => {
      await Promise.all(known.filter(() => random() < share).flatMap(startQuestions));
    },
    /** Requests another account, as if the payer's bank could not find the first. Returns that account if it was opened and the answer arrived. */
    askForAnother: requestAnotherAccount,
  };
};

/** Counts into `faultCounts` how many look-ups of one charge were under way when another began. */
export const countOverlaps = (
  liveProviders: Deps['liveProviders'],
  faultCounts: Record<string, number>,
): Pick<Deps, 'liveProviders'> => {
  const underWay = new Map<string, number>();
  const countCall =
    (name: ProviderName, lookUp: LiveProvider['lookUp']): LiveProvider['lookUp'] =>
    async (query: PaymentQuery) => {
      const charge = `${name} ${query.value}`;
      const others = underWay.get(charge) ?? 0;
      const label = others > 2 ? 'charge looked up by 4 or more at once' : `charge looked up by ${others + 1} at once`;
      faultCounts[label] = (faultCounts[label] ?? 0) + 1;
      underWay.set(charge, others + 1);
      try {
        return await lookUp(query);
      } finally {
        const left = (underWay.get(charge) ?? 1) - 1;
        if (left > 0) underWay.set(charge, left);
        else underWay.delete(charge);
      }
    };
  return {
    liveProviders: (name) => {
      const provider = liveProviders(name);
      return (
        provider && {
          ...provider,
          lookUp: countCall(name, provider.lookUp),
          requery: countCall(name, provider.requery),
        }
      );
    },
  };
};
