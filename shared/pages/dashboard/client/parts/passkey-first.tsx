import type { ComponentChildren } from 'preact';
import { me } from '#shared/pages/dashboard/client/api.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { Time } from './text.tsx';

interface NextStepProps {
  readonly place: Place;
  readonly mayChange: boolean;
  /** The step that needs a passkey, as the end of a sentence: "to start a live checkout". */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** Shows the next step on an empty screen, or says that the member needs a passkey first if only that is missing. */
export const NextStep = ({ place, mayChange, to, children }: NextStepProps) => {
  if (mayChange) return <>{children}</>;
  const own = me.value?.businesses.find(({ id }) => id === place.businessId);
  if (!own || own.suspended || own.role === 'viewer' || me.value?.passkeys.length !== 0) return null;
  return (
    <>
      <a href={formatUrl(place, 'account')}>Add a passkey</a> {to}.
    </>
  );
};

/** Says before a form that always needs a passkey that the member has none, or until when a new one waits. */
export const PasskeyFirst = ({ place }: { place: Place }) => {
  const [first] = (me.value?.passkeys ?? []).map(({ live_from }) => live_from).toSorted();
  if (first !== undefined && first <= new Date().toISOString()) return null;
  return (
    <p class="warning">
      {first === undefined ? (
        <>
          You need a passkey to make changes here, and you have none.{' '}
          <a href={formatUrl(place, 'account')}>Add one first.</a> Your first passkey works here a day after you add it.
        </>
      ) : (
        <>
          You need a passkey to make changes here. Yours works here from <Time at={first} />.
        </>
      )}{' '}
      The operators of this service can confirm it earlier.
    </p>
  );
};
