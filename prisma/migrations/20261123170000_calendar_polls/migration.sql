-- When a calendar that its provider does not notify us of is to be read next, although the list of calendars is watched.
ALTER TABLE "calendars" ADD COLUMN "poll_due_at" TIMESTAMPTZ(6);
