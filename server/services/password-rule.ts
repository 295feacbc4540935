import { weaknessOf } from "@/server/auth/password-weakness";
import type { Issue } from "@/server/domain/issues";
import { characters } from "@/server/domain/text";
import { invalid } from "@/server/services/refusal";

const SHORTEST = 12;
const LONGEST = 200;

/** Refuses a password that no operator may have. `path` is the input's field. */
export async function checkPassword(password: string, { email, path }: { email: string; path: string }): Promise<void> {
  const issue = (key: Issue["key"], words: string) => invalid({ path: [path], key, description: `${path} ${words}` });
  const length = characters(password);
  if (length < SHORTEST) throw issue("errors.too_small", `must have at least ${SHORTEST} characters`);
  if (length > LONGEST) throw issue("errors.too_big", `must have at most ${LONGEST} characters`);
  const [name = ""] = email.split("@");
  const typed = password.trim().toLowerCase();
  if (typed === email || typed === name) throw issue("errors.invalid", "must not be the email address");
  const weakness = await weaknessOf(password);
  if (weakness === "common") throw issue("errors.invalid", "is one of the most common passwords. Choose another one");
  if (weakness === "repetitive") throw issue("errors.invalid", "repeats only a few characters. Choose another one");
}
