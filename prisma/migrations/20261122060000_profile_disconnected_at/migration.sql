-- Since when a profile's user has to reconnect; null where it is connected, or was disconnected before this was noted.
ALTER TABLE "profiles" ADD COLUMN "disconnected_at" TIMESTAMPTZ(6);
