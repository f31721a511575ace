/** The reason why an operator's command was refused or failed. The message says what to do next and contains no secret. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
