-- The services that host meetings by name, as providers are.
UPDATE "events" SET "conferencing" = jsonb_set("conferencing", '{provider}', CASE "conferencing" ->> 'provider'
  WHEN 'meet_a' THEN '"google_meet"'::jsonb WHEN 'meet_a_legacy' THEN '"google_hangouts"' WHEN 'meet_b' THEN '"microsoft_teams"'
  WHEN 'meet_b_legacy1' THEN '"skype_for_business"' WHEN 'meet_b_legacy2' THEN '"skype"' ELSE "conferencing" -> 'provider' END)
WHERE "conferencing" ->> 'provider' LIKE 'meet%';
