import { useState } from 'preact/hooks';

const NAIRA = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN', minimumFractionDigits: 2 });
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** An amount, which the API gives in naira. */
export const naira = (amount: number): string => NAIRA.format(amount);

/** A moment, in Lagos, where the business is. */
export const Time = ({ at }: { at: string | null }) =>
  at === null ? <>–</> : <time dateTime={at}>{TIME.format(new Date(at))}</time>;

const WORDS: Readonly<Record<string, string>> = {
  paid: 'good',
  accepted: 'good',
  active: 'good',
  succeeded: 'good',
  healthy: 'good',
  pending: 'waits',
  delivering: 'waits',
  late: 'waits',
  slow: 'waits',
  recovering: 'waits',
  underpaid: 'waits',
  rolled: 'waits',
  parked: 'bad',
  failing: 'bad',
  suspended: 'bad',
  disabled: 'bad',
  exhausted: 'bad',
  failed: 'bad',
  rejected: 'bad',
  reversed: 'bad',
};

/** A state in words; the colour repeats it. */
export const Badge = ({ of }: { of: string }) => <span class={`badge ${WORDS[of] ?? ''}`}>{of}</span>;

/** Something to copy, such as a key. */
export const Copy = ({ text, label }: { text: string; label: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <span class="copy">
      <code>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
};
