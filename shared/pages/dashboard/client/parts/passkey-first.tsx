import { me } from '#shared/pages/dashboard/client/api.ts';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { Time } from './text.tsx';

/** Says before a form that takes a passkey, in test mode too, what whoever has none does first, and until when a new one waits. */
export const PasskeyFirst = ({ place }: { place: Place }) => {
  const [first] = (me.value?.passkeys ?? []).map(({ live_from }) => live_from).toSorted();
  if (first !== undefined && first <= new Date().toISOString()) return null;
  return (
    <p class="warning">
      {first === undefined ? (
        <>
          Changes here take a passkey, and you have none. <a href={urlOf(place, 'account')}>Add one first.</a> Your
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
