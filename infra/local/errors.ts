/** The reason why the local stack cannot run. The message is one line and says what to do next. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
