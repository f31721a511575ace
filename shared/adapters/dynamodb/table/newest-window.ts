/** What a container keeps of the newest window that it knows: made anew for each. An older window, which has ended, keeps nothing. */
export const ofNewestWindow = <Kept>(make: () => Kept): ((window: number) => Kept) => {
  let newest = Number.NEGATIVE_INFINITY;
  let kept = make();
  return (window) => {
    if (window < newest) return make();
    if (window > newest) [newest, kept] = [window, make()];
    return kept;
  };
};
