-- rolling: safe: the previous version's look-ups fit the new keys too, and ON CONFLICT finds a unique index whatever the order of its columns
-- The counts of all kinds of a day lie together: a first page reads them by one look for each calendar and range of days instead of four (ADR 56).

ALTER TABLE "calendar_days" DROP CONSTRAINT "calendar_days_pkey",
ADD CONSTRAINT "calendar_days_pkey" PRIMARY KEY ("calendar_id", "day", "all_day", "managed");

ALTER TABLE "calendar_months" DROP CONSTRAINT "calendar_months_pkey",
ADD CONSTRAINT "calendar_months_pkey" PRIMARY KEY ("calendar_id", "month", "all_day", "managed");
