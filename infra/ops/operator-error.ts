/** Why an operator's command was refused, in sentences that say what to do next and contain no secret. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
