/** A fault that was foreseen: its message is a sentence for the operator, and no stack is shown. */
export class StartError extends Error {
  override name = "StartFault";
}

/** Returns what a failed system call says of itself, such as EACCES. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error instanceof Error ? error.message : "unknown error";
}
