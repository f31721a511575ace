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

/**
 * Shows the next step on an empty screen if the member may take it. If the member lacks only a passkey for it, says that the member must add one
 * first. In any other case shows nothing.
 */
export const NextStep = ({ place, mayChange, to, children }: NextStepProps) => {
  if (mayChange) return <>{children}</>;
  const business = me.value?.businesses.find(({ id }) => id === place.businessId);
  if (!business || business.suspended || business.role === 'viewer' || me.value?.passkeys.length !== 0) return null;
  return (
    <>
      <a href={formatUrl(place, 'account')}>Add a passkey</a> {to}.
    </>
  );
};

/**
 * Shows a warning above a form that always needs a passkey, if the member has no passkey, or if none of the member's passkeys may change live mode
 * yet.
 */
export const PasskeyFirst = ({ place }: { place: Place }) => {
  const [liveFrom] = (me.value?.passkeys ?? []).map(({ live_from }) => live_from).toSorted();
  if (liveFrom !== undefined && liveFrom <= new Date().toISOString()) return null;
  return (
    <p class="warning">
      {liveFrom === undefined ? (
        <>
          You need a passkey to make changes here, and you have none.{' '}
          <a href={formatUrl(place, 'account')}>Add one first.</a> Your first passkey works here a day after you add it.
        </>
      ) : (
        <>
          You need a passkey to make changes here. Yours works here from <Time at={liveFrom} />.
        </>
      )}{' '}
      The operators of this service can confirm it earlier.
    </p>
  );
};
