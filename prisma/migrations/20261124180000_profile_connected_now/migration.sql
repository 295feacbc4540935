-- rolling: safe: a new function, which the previous release does not call
-- For statements that have waited for a lock: a query of a volatile function sees what was committed by then.
CREATE FUNCTION "profile_connected_now"("profile" TEXT) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE STRICT AS $$
BEGIN
    RETURN (SELECT "connected" FROM "profiles" WHERE "id" = "profile");
END $$;
