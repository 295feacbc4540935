import type { Database, Query, TransactionWork } from "@/server/db/client";
import type { SignedInOperator } from "@/server/services/staff/procedure/staff-context";

type Developer = SignedInOperator & { applications: readonly string[] };

const ID = /^(?:[a-z]{3}_[\w-]{1,600}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Wraps the database for a developer's procedures: a statement runs only if its values name the developer, one of their
 * applications, or something that an earlier statement returned. A statement that ignores the scope throws here and
 * shows nothing. A statement that names the right thing and reads more is not detected.
 */
export function scopedDatabase(db: Database, { id, sessionId, applications }: Developer): Database {
  const scopeValues = new Set<unknown>([id, sessionId, applications, ...applications]);

  const scoped = async <Result>(
    statement: string,
    values: unknown,
    run: () => PromiseLike<Result>,
  ): Promise<Result> => {
    if (!names(values, scopeValues)) throw new Error(`a statement for a developer has no scope: ${statement}`);
    const result = await run();
    learn(result, scopeValues);
    return result;
  };
  const scopedQuery =
    (query: Query): Query =>
    (text, values) =>
      scoped(text, values, () => query(text, values));
  const scopedPrisma = (prisma: Database["prisma"]) => {
    const extended = prisma.$extends({
      query: {
        $allOperations: ({ model, operation, args, query }) =>
          scoped(`${model ?? "Prisma"}.${operation}`, args, () => query(args)),
      },
    });
    // It lacks only $on, which nothing here uses.
    return extended as unknown as Database["prisma"];
  };
  const scopedWork =
    <Result>(work: TransactionWork<Result>): TransactionWork<Result> =>
    (query, prisma) =>
      work(scopedQuery(query), scopedPrisma(prisma as Database["prisma"]));
  return {
    ...db,
    prisma: scopedPrisma(db.prisma),
    query: scopedQuery(db.query),
    transaction: (work, lock) => db.transaction(scopedWork(work), lock),
    snapshot: (reads) => db.snapshot(scopedWork(reads)),
  };
}

function names(value: unknown, scopeValues: ReadonlySet<unknown>): boolean {
  if (scopeValues.has(value)) return true;
  if (typeof value !== "object" || value === null || value instanceof Date) return false;
  return Object.values(value).some((part) => names(part, scopeValues));
}

/** Collects the ids in the columns of rows. Text inside of JSON may be anybody's. */
function learn(result: unknown, scopeValues: Set<unknown>): void {
  for (const row of [result].flat()) {
    if (typeof row !== "object" || row === null) continue;
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === "string" && (column === "id" || ID.test(value))) scopeValues.add(value);
    }
  }
}
