/** Why an attempt got no answer. `dns`: no address by then; `http`: bytes that are not a valid HTTP answer. */
export type ErrorClass = "dns" | "connect" | "tls" | "timeout" | "blocked" | "reset" | "http";

/** What the steps of an attempt throw; `send` makes an outcome of it. */
export class EgressFailure extends Error {
  override name = "EgressFailure";
  constructor(
    readonly errorClass: ErrorClass,
    /** The address that was refused or tried, where there is one. */
    readonly address: string | null = null,
  ) {
    super(errorClass);
  }
}
