-- The services that host meetings by name, as providers are: of events, and of single occurrences of a series.
CREATE FUNCTION pg_temp.meeting_service("token" JSONB) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE "token" #>> '{}' WHEN 'meet_a' THEN '"google_meet"'::jsonb WHEN 'meet_a_legacy' THEN '"google_hangouts"'
    WHEN 'meet_b' THEN '"microsoft_teams"' WHEN 'meet_b_legacy1' THEN '"skype_for_business"' WHEN 'meet_b_legacy2' THEN '"skype"'
    ELSE "token" END
$$;

UPDATE "events" SET "conferencing" = jsonb_set("conferencing", '{provider}', pg_temp.meeting_service("conferencing" -> 'provider'))
WHERE "conferencing" ->> 'provider' LIKE 'meet%';

UPDATE "events" SET "ical_recurrence" = jsonb_set("ical_recurrence", '{overrides}', (
  SELECT jsonb_agg(CASE WHEN "override" #>> '{fields,conferencing,provider}' LIKE 'meet%'
    THEN jsonb_set("override", '{fields,conferencing,provider}', pg_temp.meeting_service("override" #> '{fields,conferencing,provider}'))
    ELSE "override" END ORDER BY "n")
  FROM jsonb_array_elements("ical_recurrence" -> 'overrides') WITH ORDINALITY AS o("override", "n")))
WHERE "ical_recurrence" @? '$.overrides[*].fields.conferencing.provider ? (@ starts with "meet")';

UPDATE "occurrences" SET "changes" = jsonb_set("changes", '{conferencing,provider}',
  pg_temp.meeting_service("changes" #> '{conferencing,provider}'))
WHERE "changes" #>> '{conferencing,provider}' LIKE 'meet%';
