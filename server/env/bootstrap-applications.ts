import * as z from "zod";
import { isRedirectUri, REDIRECT_URI_RULE } from "@/server/domain/redirect-uri";
import { isNameable, NAMEABLE_RULE } from "@/server/domain/text";
import { isUnique } from "@/server/env/values";

const LONGEST_CREDENTIAL = 500;

/** Reads the applications that are registered at every start. */
export function bootstrapApplications() {
  const credential = z
    .string("must be a string")
    .min(1, "must not be empty")
    .max(LONGEST_CREDENTIAL, `must have at most ${LONGEST_CREDENTIAL} characters`);
  const application = z.strictObject(
    {
      name: z.string("must be a string").min(1, "must not be empty").refine(isNameable, NAMEABLE_RULE),
      client_id: credential,
      client_secret: credential.optional(),
      redirect_uris: z
        .array(z.string("must be a string").refine(isRedirectUri, REDIRECT_URI_RULE), "must be an array")
        .refine(isUnique, "must not contain the same URI twice")
        .default([]),
      compatibility_mode: z.boolean("must be true or false").default(false),
      edit_foreign_events: z.boolean("must be true or false").default(false),
      mcp_writes: z.boolean("must be true or false").default(false),
      public_client: z.boolean("must be true or false").default(false),
      connect_success_page: z.boolean("must be true or false").default(false),
      plan: z.enum(["developer", "standard"], "must be developer or standard").default("standard"),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys" ? `has unknown fields: ${issue.keys.join(", ")}` : "must be an object",
    },
  );
  return z
    .array(application.superRefine(requireSecret), "must be a JSON array")
    .refine((all) => isUnique(all.map(({ client_id }) => client_id)), "must not contain the same client_id twice");
}

/** Reports a missing secret as the schema would report it. */
function requireSecret(
  { client_secret, public_client }: { client_secret?: string; public_client: boolean },
  issues: z.RefinementCtx,
): void {
  if (client_secret === undefined && !public_client) {
    issues.addIssue({ code: "custom", path: ["client_secret"], message: "must be a string" });
  }
}
