import { type Kobo, nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { byProvider, type RegisteredProvider } from '#shared/providers/registry.ts';

/* The texts about providers in the API document, made from the providers' descriptions. */

const LIST_WITH_AND = new Intl.ListFormat('en-GB');

/** Makes the cell of a Markdown table. */
const makeNeedsCell = (needs: RegisteredProvider['needs']['live']): string =>
  needs.length === 0 ? ' ' : ` ${LIST_WITH_AND.format(needs.map(({ markdown }) => markdown))} `;

const formatNaira = (amount: Kobo): string => nairaFromKobo(amount).toLocaleString('en');

const describeLimits = ({ title, amountLimits }: RegisteredProvider): string[] => {
  if (!amountLimits) return [];
  const { least, most } = amountLimits;
  return [
    `${title} from ${most === undefined ? `${formatNaira(least)} on` : `${formatNaira(least)} to ${formatNaira(most)}`}`,
  ];
};

/** The titles of all providers: "One, Two and Three". */
export const providerTitles = LIST_WITH_AND.format(Object.values(byProvider((_, { title }) => title)));

/** Rows of a Markdown table: the fields of a customer that a provider always needs, and the fields that it needs in live mode in addition. */
export const providerNeeds = Object.values(
  byProvider((name, { needs: { always, live } }) => `| \`${name}\` |${makeNeedsCell(always)}|${makeNeedsCell(live)}|`),
).join('\n');

/** The limits of one payment, in naira, at each provider that publishes its limits. */
export const providerLimits = Object.values(byProvider((_, registered) => describeLimits(registered)))
  .flat()
  .join(', ');
