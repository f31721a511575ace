/** Why an operation was not carried out: whole sentences for the operator, which say what to do next and hold no secret. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
