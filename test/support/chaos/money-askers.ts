import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import type { Deps } from './lives.ts';
import type { Chaos } from './money-stage.ts';

/** Only so many of the latest checkouts are asked about: those that were opened within half an hour. */
const LATEST = 30;

/** A checkout that somebody may ask about. */
interface Known {
  readonly reference: string;
  readonly business: Chaos['businesses'][number];
}

/**
 * People who cannot wait: merchants who have a provider asked about a checkout, and payers who say that they have paid, each in a life of its
 * own. `random` is in [0, 1).
 */
export const askers = ({ world, lives }: Chaos, random: () => number) => {
  let known: Known[] = [];
  const answers: Record<string, number> = {};
  const ask = async (who: string, call: (deps: Deps) => Promise<{ readonly status: number }>): Promise<void> => {
    const status = await lives
      .begin()
      .run(call)
      .then((answer) => answer.status)
      .catch(() => 'none');
    answers[`${who} ${status}`] = (answers[`${who} ${status}`] ?? 0) + 1;
  };
  const askAbout = ({ reference, business }: Known): Promise<void>[] => [
    ask('requery', (deps) => apiClient({ ...world, deps }, business.keys.secret_live).requery(reference)),
    ask('payer', (deps) => {
      const page = payersPage({ deps });
      return page.sent(page.linkOf(reference));
    }),
  ];

  return {
    /** How often each of them was answered what; `none` where the life ended first. */
    answers,
    knows: (reference: string, business: Known['business']): void => {
      known = [...known, { reference, business }].slice(-LATEST);
    },
    /** Somebody asks about a share of the checkouts, merchant and payer at once. */
    askAbout: async (share: number): Promise<void> => {
      await Promise.all(known.filter(() => random() < share).flatMap(askAbout));
    },
  };
};

/** Counts into `struck` how many look-ups of one charge were under way when another began. */
export const countOverlaps = (
  liveProviders: Deps['liveProviders'],
  struck: Record<string, number>,
): Pick<Deps, 'liveProviders'> => {
  const underWay = new Map<string, number>();
  const counted =
    (name: ProviderName, look: LiveProvider['lookUp']): LiveProvider['lookUp'] =>
    async (query: PaymentQuery) => {
      const charge = `${name} ${query.value}`;
      const others = underWay.get(charge) ?? 0;
      const what = others > 2 ? 'charge looked up by 4 or more at once' : `charge looked up by ${others + 1} at once`;
      struck[what] = (struck[what] ?? 0) + 1;
      underWay.set(charge, others + 1);
      try {
        return await look(query);
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
          lookUp: counted(name, provider.lookUp),
          enquire: counted(name, provider.enquire),
        }
      );
    },
  };
};
