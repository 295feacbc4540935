import type { Database, Query } from "@/server/db/client";
import type { SignedIn } from "@/server/services/staff/procedure/staff-context";

type Developer = SignedIn & { applications: readonly string[] };

const ID = /^(?:[a-z]{3}_[\w-]{1,600}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * The database as a developer's procedures get it: a statement runs only if its values name the developer, one of their applications, or
 * something that an earlier statement found. One that was written without the scope fails here and shows nothing; nothing is said of
 * one that names what it should and looks for more.
 */
export function scopedDatabase(db: Database, { id, sessionId, applications }: Developer): Database {
  const known = new Set<unknown>([id, sessionId, applications, ...applications]);

  const scoped = async <Result>(
    statement: string,
    values: unknown,
    run: () => PromiseLike<Result>,
  ): Promise<Result> => {
    if (!names(values, known)) throw new Error(`a statement for a developer has no scope: ${statement}`);
    const result = await run();
    learn(result, known);
    return result;
  };
  const scopedQuery =
    (query: Query): Query =>
    (text, values) =>
      scoped(text, values, () => query(text, values));
  const prisma = db.prisma.$extends({
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        scoped(`${model ?? "Prisma"}.${operation}`, args, () => query(args)),
    },
  });
  return {
    ...db,
    // It lacks $on alone, of which nothing here has use.
    prisma: prisma as unknown as Database["prisma"],
    query: scopedQuery(db.query),
    transaction: (work, lock) => db.transaction((query) => work(scopedQuery(query)), lock),
  };
}

function names(value: unknown, known: ReadonlySet<unknown>): boolean {
  if (known.has(value)) return true;
  if (typeof value !== "object" || value === null || value instanceof Date) return false;
  return Object.values(value).some((part) => names(part, known));
}

/** The ids in the columns of rows. What is inside of JSON may be anybody's word. */
function learn(result: unknown, known: Set<unknown>): void {
  for (const row of [result].flat()) {
    if (typeof row !== "object" || row === null) continue;
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === "string" && (column === "id" || ID.test(value))) known.add(value);
    }
  }
}
