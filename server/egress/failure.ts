import type { errorClasses } from "@/server/domain/channels/error-classes";

export type ErrorClass = Exclude<(typeof errorClasses)[number], "internal">;

/** Thrown by the steps of an attempt. `send` turns it into an outcome. */
export class EgressFailure extends Error {
  override name = "EgressFailure";
  constructor(
    readonly errorClass: ErrorClass,
    /** The address that was refused or tried, if any. */
    readonly address: string | null = null,
  ) {
    super(errorClass);
  }
}
