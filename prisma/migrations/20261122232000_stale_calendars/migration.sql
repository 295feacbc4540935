-- Since when a calendar has to be read. Null: it is read. The first poll marks those that are not.
ALTER TABLE "calendars" ADD COLUMN "stale_at" TIMESTAMPTZ(6);
-- Until when a sync token that is bound to a window of time can be used. Null: it is not bound to one.
ALTER TABLE "calendars" ADD COLUMN "cursor_valid_until" TIMESTAMPTZ(6);
-- When a profile's calendars are listed next, if it is to be synced before that for stale calendars alone.
ALTER TABLE "profiles" ADD COLUMN "poll_due_at" TIMESTAMPTZ(6);
