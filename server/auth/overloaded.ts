/** Thrown when more passwords wait to be checked than can be checked soon. */
export class Overloaded extends Error {
  /** `retryAfter`: whole seconds. */
  constructor(readonly retryAfter: number) {
    super("too many passwords are waiting to be checked");
    this.name = "Overloaded";
  }
}
