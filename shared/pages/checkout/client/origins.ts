/** Whether `origin` is in a list that the page may talk to, parted by spaces; `http://localhost:*` stands for every port. */
export const isAllowed = (list: string, origin: string): boolean =>
  list
    .split(' ')
    .some(
      (allowed) =>
        allowed === origin || (allowed.endsWith(':*') && new RegExp(`^${allowed.slice(0, -2)}(:\\d+)?$`).test(origin)),
    );
