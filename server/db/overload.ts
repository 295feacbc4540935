/** What PostgreSQL says when a statement or a lock took too long, when it has no connection left, and when it kept colliding. */
const passing = new Set(["57014", "55P03", "53300", "40001", "40P01"]);
/** What pg and its pool say, which have no codes for it. */
const late =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated due to connection timeout)$/;
const DEEPEST = 5;

/** Whether an error says that the database has too much to do, and may do the same a little later. */
export function isOverload(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST) return false;
  const { code, cause, message } = error as Error & { code?: unknown };
  if (passing.has(String(code)) || late.test(message)) return true;
  return isOverload(cause, depth + 1) || isOverload(driverError(error), depth + 1);
}

/** Prisma wraps what its driver says. */
function driverError(error: Error): unknown {
  if (!("meta" in error) || typeof error.meta !== "object" || error.meta === null) return undefined;
  return "driverAdapterError" in error.meta ? error.meta.driverAdapterError : undefined;
}
