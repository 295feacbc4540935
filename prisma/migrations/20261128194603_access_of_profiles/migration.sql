-- rolling: safe: a column with a default that the previous version does not know; it asks for everything and hides nothing, so send nobody a link with `access` before it has ended
ALTER TABLE "profiles" ADD COLUMN     "access" TEXT NOT NULL DEFAULT 'full';

-- For a statement that has waited for a calendar's lock: what the user has agreed to by now.
CREATE FUNCTION profile_access_now(profile text) RETURNS text LANGUAGE plpgsql VOLATILE STRICT AS $$
BEGIN
    RETURN (SELECT "access" FROM "profiles" WHERE "id" = "profile");
END $$;
