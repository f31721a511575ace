/** Something that keeps the local stack from running, told in one line that says what to do next. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
