import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { lagosTime } from './times.ts';

export { naira } from './naira.ts';

/** A moment, in Lagos, where the business is. The style leaves out the place where the head of a column says it. */
export const Time = ({ at }: { at: string | null }) =>
  at === null ? (
    <>–</>
  ) : (
    <time dateTime={at}>
      {lagosTime(at)}
      <span class="zone"> Lagos</span>
    </time>
  );

type Tone = 'good' | 'waits' | 'bad';

/** The API's words for states, as people say them, and how each looks. */
const STATES: Readonly<Record<string, readonly [string, Tone?]>> = {
  paid: ['Paid', 'good'],
  accepted: ['Received', 'good'],
  active: ['Active', 'good'],
  succeeded: ['Arrived', 'good'],
  healthy: ['Works', 'good'],
  opening: ['Opening', 'waits'],
  pending: ['Waiting', 'waits'],
  delivering: ['Being sent', 'waits'],
  late: ['Late', 'waits'],
  slow: ['Slow', 'waits'],
  recovering: ['Works again', 'waits'],
  underpaid: ['Paid in part', 'waits'],
  rolled: ['Being replaced', 'waits'],
  parked: ['Waiting for your server', 'waits'],
  failing: ['Failing', 'bad'],
  suspended: ['Paused', 'bad'],
  disabled: ['Switched off', 'bad'],
  exhausted: ['Gave up', 'bad'],
  failed: ['Failed', 'bad'],
  rejected: ['Sent back', 'bad'],
  reversed: ['Taken back', 'bad'],
  refused: ['Refused', 'bad'],
  unknown: ['Not known', 'waits'],
  inactive: ['Closed'],
};

/** A state as people say it: a word of the API that has no other begins with a capital. A type of events, which has a dot, stays. */
export const humanize = (state: string): string =>
  STATES[state]?.[0] ??
  (state.includes('.') ? state : state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' '));

/** A state in words, with the API's word as its title. Colour and picture repeat it. */
export const Badge = ({ state }: { state: string }) => {
  const tone = STATES[state]?.[1];
  return (
    <span class={`badge ${tone ?? ''}`} title={state}>
      {tone && <Icon name={tone} />}
      {humanize(state)}
    </span>
  );
};

/** A reference or an id on one line: ours are whole, and the title says all of a longer one. */
export const Ref = ({ text }: { text: string }) => (
  <code class="ref" title={text}>
    {text}
  </code>
);

/** A text of any length on one line, such as an e-mail address in a list: its title says all of it. */
export const Cut = ({ text }: { text: string | null }) =>
  text === null ? (
    <>–</>
  ) : (
    <span class="cut" title={text}>
      {text}
    </span>
  );

/** Something to copy, such as a key; prose is for people to read. */
export const Copy = ({ text, label, isProse = false }: { text: string; label: string; isProse?: boolean }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <span class="copy">
      {isProse ? <span>{text}</span> : <code>{text}</code>}
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
};
