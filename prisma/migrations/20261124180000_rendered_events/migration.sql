-- rolling: safe: the previous version neither reads the column nor writes it, and the trigger fills it for both
-- What all occurrences of an event have in common in a response, as the members of a JSON object. Null: not written since the column is there,
-- and rendered by whoever reads it. `event_id` comes first, if the application created the event.
ALTER TABLE "events" ADD COLUMN "rendered" TEXT;

-- A page reads this of 300 events: only texts of some length are worth a compression and a table beside it.
ALTER TABLE "events" SET (toast_tuple_target = 4080);

CREATE FUNCTION "rendered_event"("e" "events") RETURNS TEXT LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN coalesce('"event_id":' || to_json("e"."event_id")::text || ',', '')
        || '"calendar_id":' || to_json("e"."calendar_id")::text
        || ',"summary":' || to_json("e"."summary")::text
        || ',"description":' || to_json("e"."description")::text
        || coalesce(',"location":{"description":' || to_json("e"."location")::text || '}', '')
        || coalesce(',"url":' || to_json("e"."url")::text, '')
        || ',"participation_status":' || to_json("e"."participation_status")::text
        || ',"attendees":' || "e"."attendees"::text
        || ',"transparency":"' || "e"."transparency" || '","extended_transparency":"' || "e"."transparency" || '"'
        || ',"event_private":' || "e"."private"::text
        || ',"organizer":' || coalesce("e"."organizer"::text, 'null')
        || ',"status":' || to_json("e"."status")::text
        || ',"categories":' || "e"."categories"::text
        || ',"created":"' || to_char("e"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"';
END $$;

CREATE FUNCTION "render_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."rendered" := "rendered_event"(NEW);
    RETURN NEW;
END $$;
CREATE TRIGGER "events_rendered" BEFORE INSERT OR UPDATE OF "calendar_id", "event_id", "summary", "description", "location", "url",
    "participation_status", "attendees", "transparency", "private", "organizer", "status", "categories", "created_at"
    ON "events" FOR EACH ROW EXECUTE FUNCTION "render_event"();
