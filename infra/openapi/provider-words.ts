import { type Kobo, nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { byProvider, type RegisteredProvider } from '#shared/providers/registry.ts';

/* What the API document says of the providers, all of it from their descriptions. */

const AND = new Intl.ListFormat('en-GB');

/** A cell of a Markdown table. */
const needed = (needs: RegisteredProvider['needs']['live']): string =>
  needs.length === 0 ? ' ' : ` ${AND.format(needs.map(({ markdown }) => markdown))} `;

const naira = (amount: Kobo): string => nairaFromKobo(amount).toLocaleString('en');

const limits = ({ title, amountLimits }: RegisteredProvider): string[] => {
  if (!amountLimits) return [];
  const { least, most } = amountLimits;
  return [`${title} from ${most === undefined ? `${naira(least)} on` : `${naira(least)} to ${naira(most)}`}`];
};

/** Their titles: "One, Two and Three". */
export const providerTitles = AND.format(Object.values(byProvider((_, { title }) => title)));

/** What each provider needs of a customer, as rows of a Markdown table: always, and in live mode in addition. */
export const providerNeeds = Object.values(
  byProvider((name, { needs: { always, live } }) => `| \`${name}\` |${needed(always)}|${needed(live)}|`),
).join('\n');

/** The limits of one payment in naira, for the providers that publish them. */
export const providerLimits = Object.values(byProvider((_, registered) => limits(registered)))
  .flat()
  .join(', ');
