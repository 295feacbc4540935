import { type Composed, composedFor } from "@/server/db/composed";
import type { Column, Statement } from "@/server/db/statement";

export interface Prepared {
  text: string;
  columns: Readonly<Record<string, Column<unknown>>>;
}

export interface DeclaredStatement {
  /** As `server/db/locks.sql.ts`. */
  file: string;
  name: string;
  isComposed: boolean;
  /** One that is composed is as many as it has samples. */
  variants: Prepared[];
}

const modules = import.meta.glob<Record<string, unknown>>("../../server/**/*.sql.ts", { eager: true });

export const declaredStatements: DeclaredStatement[] = Object.entries(modules).flatMap(([path, module]) =>
  Object.entries(module).flatMap(([name, found]): DeclaredStatement[] => {
    const file = path.replaceAll("../", "");
    if (isComposed(found)) {
      return [
        {
          file,
          name,
          isComposed: true,
          variants: found.samples.map((sample) => composedFor(found, sample) as Prepared),
        },
      ];
    }
    return isStatement(found) ? [{ file, name, isComposed: false, variants: [found] }] : [];
  }),
);

function isComposed(found: unknown): found is Composed<unknown, Record<string, unknown>> {
  return typeof found === "object" && found !== null && "compose" in found;
}

function isStatement(found: unknown): found is Statement<Record<string, unknown>> {
  return typeof found === "object" && found !== null && "text" in found;
}
