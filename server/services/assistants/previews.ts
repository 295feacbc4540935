import { createHash, randomBytes } from "node:crypto";
import { rawInput } from "@/server/services/input";
import { accountProcedure } from "@/server/services/trpc";
import { readSignedCursor, signedCursor } from "@/server/store/signed-cursor";

/** A preview is good for so long: what the user has agreed to an hour ago may be something else by now. */
const LIFE_MS = 3_600_000;
const NONCE_BYTES = 12;

interface Previewed {
  tool: string;
  /** Everything that is written if the preview is confirmed. */
  args: object;
}

/** Issues the id of a preview, signed: nobody has one who was shown no preview. */
export const issuePreview = accountProcedure
  .input(rawInput((raw) => raw as Previewed))
  .query(({ input, ctx: { bearer, now } }): string => {
    const nonce = randomBytes(NONCE_BYTES).toString("hex");
    return signedCursor([digestOf(input), now, nonce], ownerOf(bearer.accountId));
  });

/** Reports whether exactly this was previewed for the account. */
export const verifyPreview = accountProcedure
  .input(rawInput((raw) => raw as Previewed & { id: string }))
  .query(({ input, ctx: { bearer, now } }): boolean => {
    const [digest, at] = readSignedCursor(input.id, ownerOf(bearer.accountId)) ?? [];
    return digest === digestOf(input) && now - Number(at) < LIFE_MS;
  });

const ownerOf = (accountId: string) => ({ accountId, endpoint: "assistant_previews" }) as const;

function digestOf({ tool, args }: Previewed): string {
  return createHash("sha256")
    .update(JSON.stringify([tool, args]))
    .digest("base64url");
}
