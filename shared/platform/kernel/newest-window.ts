/** Keeps a container's state of the newest window. A new window begins with `make()`. A call for an older one gets a state that is not kept. */
export const stateOfNewestWindow = <State>(make: () => State): ((window: number) => State) => {
  let newest = Number.NEGATIVE_INFINITY;
  let state = make();
  return (window) => {
    if (window < newest) return make();
    if (window > newest) [newest, state] = [window, make()];
    return state;
  };
};
