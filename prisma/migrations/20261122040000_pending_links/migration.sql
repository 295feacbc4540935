-- What a link token's calendar account is joined from, sealed, until its code is exchanged. Such a code has no profile before that.
ALTER TABLE "codes" ADD COLUMN "pending" TEXT,
    ALTER COLUMN "profile_id" DROP NOT NULL;

-- Accounts whose code was never exchanged are found by that code, which was dropped after a day until now: it comes back as expired.
INSERT INTO "codes" ("hash", "application_id", "account_id", "profile_id", "redirect_uri", "created_at", "expires_at")
SELECT sha256(convert_to(gen_random_uuid()::text, 'UTF8')), a."application_id", a."id",
  (SELECT p."id" FROM "profiles" p WHERE p."account_id" = a."id" ORDER BY p."created_at", p."id" LIMIT 1), '', now(), now()
FROM "accounts" a WHERE a."kind" = 'account' AND a."revoked_at" IS NULL
  AND NOT EXISTS (SELECT FROM "grants" g WHERE g."account_id" = a."id")
  AND NOT EXISTS (SELECT FROM "codes" c WHERE c."account_id" = a."id");
