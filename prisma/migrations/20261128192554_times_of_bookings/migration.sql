-- rolling: stop-first: what the previous version books would not take the time of other calendars
-- AlterTable
ALTER TABLE "booking_calendars" ADD COLUMN     "event_calendar_id" TEXT,
ADD COLUMN     "event_row" TEXT,
ADD COLUMN     "held_until" TIMESTAMPTZ(6);

UPDATE booking_calendars k SET event_calendar_id = b.calendar_id, event_row = b.event_row, held_until = b.held_until
FROM bookings b WHERE b.id = k.booking_id;

-- AlterTable
ALTER TABLE "booking_calendars" ALTER COLUMN "event_calendar_id" SET NOT NULL,
ALTER COLUMN "event_row" SET NOT NULL;

-- The time that bookings take in a calendar is looked up with every question for what is free there.
CREATE INDEX booking_calendars_held ON booking_calendars (calendar_id) WHERE held_until IS NOT NULL;
CREATE INDEX booking_calendars_elsewhere ON booking_calendars (calendar_id) WHERE held_until IS NULL AND event_calendar_id <> calendar_id;
-- What the chore of holds looks for.
CREATE INDEX bookings_held ON bookings (held_until) WHERE held_until IS NOT NULL;
