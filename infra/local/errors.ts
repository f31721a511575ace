/** Something that keeps the local stack from running. The message is one line and says what to do next. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
