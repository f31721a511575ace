/** Whether `origin` is in a list of origins, separated by spaces. `http://localhost:*` allows every port. */
export const isAllowed = (list: string, origin: string): boolean =>
  list
    .split(' ')
    .some(
      (allowed) =>
        allowed === origin || (allowed.endsWith(':*') && new RegExp(`^${allowed.slice(0, -2)}(:\\d+)?$`).test(origin)),
    );
