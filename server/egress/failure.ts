import type { errorClasses } from "@/server/domain/channels/error-classes";

export type ErrorClass = Exclude<(typeof errorClasses)[number], "internal">;

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
