/** What this process was built from. */
export interface BuildInfo {
  version: string;
  /** Of the sources; "unknown" where the build had neither git nor ALMANAC_COMMIT. */
  commit: string;
}

declare global {
  /** The front door sets it; Next loads this module apart from it. */
  var almanacBuild: BuildInfo | undefined;
}

/** Reads what this process was built from. */
export function buildInfo(): BuildInfo {
  return globalThis.almanacBuild ?? { version: "unknown", commit: "unknown" };
}
