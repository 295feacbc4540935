-- rolling: safe: the previous version writes no written_at, so that its writes count as those of others for as long as it runs
ALTER TABLE "events" ADD COLUMN     "written_at" TIMESTAMPTZ(6);

CREATE TABLE "event_changes" (
    "calendar_id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "event_row" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "kind" TEXT NOT NULL,
    "fields" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "own" BOOLEAN NOT NULL,
    "occurrence_date" DATE,

    CONSTRAINT "event_changes_pkey" PRIMARY KEY ("calendar_id","number")
);

CREATE INDEX "event_changes_calendar_id_at_idx" ON "event_changes"("calendar_id", "at");

CREATE INDEX "event_changes_at_idx" ON "event_changes" USING BRIN ("at");

-- What a series says of single days, by day: skipped, moved and changed ones, and replies to them.
CREATE FUNCTION exceptions_by_day(recurrence jsonb, ical jsonb) RETURNS TABLE (day date, says jsonb, is_reply boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (d #>> '{}')::date, '"skipped"'::jsonb, false FROM jsonb_array_elements(recurrence -> 'skipped') d
    UNION ALL SELECT (c ->> 'day')::date, c, false FROM jsonb_array_elements(recurrence -> 'changed') c
    UNION ALL SELECT (r ->> 'day')::date, r, true FROM jsonb_array_elements(coalesce(recurrence -> 'replies', '[]')) r
    UNION ALL SELECT '1970-01-01'::date + floor((o ->> 'recurrenceId')::numeric / 86400000)::int, o, false
        FROM jsonb_array_elements(ical -> 'overrides') o
$$;

CREATE FUNCTION note_created_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event_changes (calendar_id, event_row, at, kind, own)
    SELECT calendar_id, id, updated_at, 'created', written_at IS NOT NULL FROM inserted WHERE deleted_at IS NULL;
    RETURN NULL;
END $$;

CREATE FUNCTION note_changed_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed text[] := '{}';
    change text := 'updated';
    days date[];
    one_day date;
    only_replies boolean := true;
BEGIN
    IF new.deleted_at IS NOT NULL THEN
        change := 'deleted';
    ELSIF old.deleted_at IS NOT NULL THEN
        change := 'created';
    ELSE
        IF new.recurrence IS DISTINCT FROM old.recurrence OR new.ical_recurrence IS DISTINCT FROM old.ical_recurrence THEN
            SELECT array_agg(DISTINCT d.day), coalesce(bool_and(d.is_reply), false) INTO days, only_replies FROM (
                (SELECT * FROM exceptions_by_day(new.recurrence, new.ical_recurrence) EXCEPT SELECT * FROM exceptions_by_day(old.recurrence, old.ical_recurrence))
                UNION ALL
                (SELECT * FROM exceptions_by_day(old.recurrence, old.ical_recurrence) EXCEPT SELECT * FROM exceptions_by_day(new.recurrence, new.ical_recurrence))) d;
            -- The rule has changed too: it is no change of days.
            IF (new.recurrence - '{skipped,changed,replies}'::text[]) IS DISTINCT FROM (old.recurrence - '{skipped,changed,replies}'::text[])
                OR (new.ical_recurrence - 'overrides') IS DISTINCT FROM (old.ical_recurrence - 'overrides') THEN
                days := NULL;
                only_replies := false;
            END IF;
        END IF;
        changed := array_remove(ARRAY[
            CASE WHEN new.summary IS DISTINCT FROM old.summary THEN 'summary' END,
            CASE WHEN new.description IS DISTINCT FROM old.description THEN 'description' END,
            CASE WHEN new.location IS DISTINCT FROM old.location THEN 'location' END,
            CASE WHEN new.url IS DISTINCT FROM old.url THEN 'url' END,
            CASE WHEN (new.starts, new.all_day) IS DISTINCT FROM (old.starts, old.all_day) THEN 'start' END,
            CASE WHEN (new.ends, new.all_day) IS DISTINCT FROM (old.ends, old.all_day) THEN 'end' END,
            CASE WHEN new.tzid IS DISTINCT FROM old.tzid THEN 'tzid' END,
            CASE WHEN new.transparency IS DISTINCT FROM old.transparency THEN 'transparency' END,
            CASE WHEN new.private IS DISTINCT FROM old.private THEN 'event_private' END,
            CASE WHEN new.status IS DISTINCT FROM old.status THEN 'status' END,
            CASE WHEN new.participation_status IS DISTINCT FROM old.participation_status THEN 'participation_status' END,
            CASE WHEN new.organizer IS DISTINCT FROM old.organizer THEN 'organizer' END,
            CASE WHEN new.attendees IS DISTINCT FROM old.attendees OR (only_replies AND days IS NOT NULL) THEN 'attendees' END,
            CASE WHEN new.categories IS DISTINCT FROM old.categories THEN 'categories' END,
            CASE WHEN new.conferencing IS DISTINCT FROM old.conferencing THEN 'conferencing' END,
            CASE WHEN NOT only_replies THEN 'recurrence' END], NULL);
        IF changed = '{}' THEN
            RETURN NULL;
        ELSIF changed = '{conferencing}' AND old.conferencing ? 'pending' AND new.conferencing ? 'join_url' THEN
            change := 'link_added';
        ELSIF changed <@ '{attendees,participation_status}'
            AND jsonb_path_query_array(new.attendees, '$[*].email') = jsonb_path_query_array(old.attendees, '$[*].email') THEN
            change := 'replied';
        END IF;
        IF array_length(days, 1) = 1 AND changed <@ '{recurrence,attendees}' AND new.attendees = old.attendees THEN
            one_day := days[1];
        END IF;
    END IF;
    INSERT INTO event_changes (calendar_id, event_row, at, kind, fields, own, occurrence_date)
    VALUES (new.calendar_id, new.id, new.updated_at, change, changed, new.written_at IS DISTINCT FROM old.written_at, one_day);
    RETURN NULL;
END $$;

CREATE TRIGGER events_created AFTER INSERT ON events REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION note_created_events();
CREATE TRIGGER events_changed AFTER UPDATE OF summary, description, location, url, starts, ends, all_day, tzid, transparency, private, status,
    participation_status, organizer, attendees, categories, conferencing, recurrence, ical_recurrence, deleted_at ON events
    FOR EACH ROW WHEN (new.updated_at IS DISTINCT FROM old.updated_at AND (new.deleted_at IS NULL OR old.deleted_at IS NULL)) EXECUTE FUNCTION note_changed_event();
