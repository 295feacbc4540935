-- rolling: safe: tables of their own, which the previous version does not know
-- CreateTable
CREATE TABLE "bookings" (
    "id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "calendar_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_row" TEXT NOT NULL,
    "event_uid" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "held_until" TIMESTAMPTZ(6),
    "event" JSONB,
    "held_starts" TIMESTAMPTZ(6)[] DEFAULT ARRAY[]::TIMESTAMPTZ(6)[],
    "held_ends" TIMESTAMPTZ(6)[] DEFAULT ARRAY[]::TIMESTAMPTZ(6)[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bookings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "booking_calendars" (
    "booking_id" TEXT NOT NULL,
    "calendar_id" TEXT NOT NULL,

    CONSTRAINT "booking_calendars_pkey" PRIMARY KEY ("calendar_id","booking_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "bookings_event_row_key" ON "bookings"("event_row");

CREATE UNIQUE INDEX "bookings_calendar_id_event_id_key" ON "bookings"("calendar_id", "event_id");

-- CreateIndex
CREATE INDEX "booking_calendars_booking_id_idx" ON "booking_calendars"("booking_id");

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "booking_calendars" ADD CONSTRAINT "booking_calendars_booking_id_fkey" FOREIGN KEY ("booking_id") REFERENCES "bookings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "booking_calendars" ADD CONSTRAINT "booking_calendars_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;
