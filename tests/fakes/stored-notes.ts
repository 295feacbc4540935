import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";

/** A note about an account, by an operator who is gone unless one is named. */
export async function addNote(
  accountId: string,
  text = "Called back.",
  operatorId: string | null = null,
  createdAt = new Date(),
): Promise<string> {
  const id = newId("nte");
  await db().prisma.accountNote.create({ data: { id, accountId, operatorId, text, createdAt } });
  return id;
}
