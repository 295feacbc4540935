-- Nothing read it: staff see the calendars that are not deleted, counted.
ALTER TABLE "accounts" DROP COLUMN "calendar_count";

-- Every search by email goes through lower("email"), which has an index of its own.
DROP INDEX "accounts_email_idx";
