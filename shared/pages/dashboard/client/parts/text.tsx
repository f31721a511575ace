import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { lagosTime } from './times.ts';

export { naira } from './naira.ts';

/** Shows a moment in Lagos time. Styles hide the word "Lagos" if the column's head says it. */
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

/** The label and the look of each state of the API. */
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

/** Returns a state's label. A state without a label is written with a capital letter. An event type, which has a dot, stays as it is. */
export const humanize = (state: string): string =>
  STATES[state]?.[0] ??
  (state.includes('.') ? state : state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' '));

/** Shows a state's label, with the API's word as its title. Colour and icon repeat the meaning. */
export const Badge = ({ state }: { state: string }) => {
  const tone = STATES[state]?.[1];
  return (
    <span class={`badge ${tone ?? ''}`} title={state}>
      {tone && <Icon name={tone} />}
      {humanize(state)}
    </span>
  );
};

/** Shows a reference or an id on one line. The title has the whole text, because a long one is cut. */
export const Ref = ({ text }: { text: string }) => (
  <code class="ref" title={text}>
    {text}
  </code>
);

/** Shows a text of any length on one line, such as an e-mail address in a list. The title has the whole text. */
export const Cut = ({ text }: { text: string | null }) =>
  text === null ? (
    <>–</>
  ) : (
    <span class="cut" title={text}>
      {text}
    </span>
  );

/** Shows a text with a button that copies it. `isProse`: whether the text is a sentence, not code. */
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
