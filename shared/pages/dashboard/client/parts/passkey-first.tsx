import type { ComponentChildren } from 'preact';
import { me } from '#shared/pages/dashboard/client/api.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { Time } from './text.tsx';

interface NextStepProps {
  readonly place: Place;
  readonly mayChange: boolean;
  /** The step that takes a passkey in live mode, as in "to start a live checkout". */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** The next step where there is nothing yet, for whoever may take it. A passkey comes first where it alone is missing. */
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

/** Says before a form that takes a passkey, in test mode too, what whoever has none does first, and until when a new one waits. */
export const PasskeyFirst = ({ place }: { place: Place }) => {
  const [first] = (me.value?.passkeys ?? []).map(({ live_from }) => live_from).toSorted();
  if (first !== undefined && first <= new Date().toISOString()) return null;
  return (
    <p class="warning">
      {first === undefined ? (
        <>
          Changes here take a passkey, and you have none. <a href={formatUrl(place, 'account')}>Add one first.</a> Your
          first passkey works here a day after you add it
        </>
      ) : (
        <>
          Changes here take a passkey. Yours works here from <Time at={first} /> on
        </>
      )}
      ; operations can confirm it earlier.
    </p>
  );
};
