import type { SignedInOperator } from "@/server/services/staff/procedure/staff-context";

/** Reports whether an operator may delete a note. `authorId` is null if its author is no longer an operator. */
export function mayDeleteNote({ id, role }: SignedInOperator, authorId: string | null): boolean {
  return role === "admin" || authorId === id;
}
