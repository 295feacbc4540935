import { db } from "@/server/db/client";
import { unseal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { secretOfEachKey } from "@/server/front-door/key-check.sql";
import { StartError } from "@/server/front-door/start-error";

/**
 * Checks that one client secret opens for each key that any was sealed with: with lost keys the service would fail
 * later, call by call.
 */
export async function keyCheck(): Promise<void> {
  const rows = await run(db().query, secretOfEachKey);
  for (const { id, sealed, kid } of rows) {
    try {
      unseal(sealed, { table: "client_secrets", column: "sealed", row: id });
    } catch {
      throw new StartError(
        `The database was encrypted with a different key ${kid}. Set ENCRYPTION_KEYS to the original keys.`,
      );
    }
  }
}
