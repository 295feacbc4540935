-- A provider's sync token is called one: cursors are those of API pages.
ALTER TABLE "profiles" RENAME COLUMN "cursor" TO "sync_token";
ALTER TABLE "calendars" RENAME COLUMN "cursor" TO "sync_token";
ALTER TABLE "calendars" RENAME COLUMN "cursor_valid_until" TO "sync_token_valid_until";
-- The value that a provider changes whenever something in the calendar changes.
ALTER TABLE "calendars" RENAME COLUMN "version" TO "ctag";
