import { command } from "@/server/db/statement";

export const lockAccountStatement = command("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE");

export const lockLivingAccountStatement = command(
  "SELECT FROM accounts WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE",
);
