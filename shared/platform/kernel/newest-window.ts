/**
 * Makes a function that returns a container's state of a window; `make` makes the first state of a window. The function keeps only the
 * state of the newest window. For an older window it returns a new state, and does not keep it.
 */
export const stateOfNewestWindow = <State>(make: () => State): ((window: number) => State) => {
  let newest = Number.NEGATIVE_INFINITY;
  let state = make();
  return (window) => {
    if (window < newest) return make();
    if (window > newest) [newest, state] = [window, make()];
    return state;
  };
};
