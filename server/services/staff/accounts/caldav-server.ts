/**
 * Returns SQL for what the CalDAV server of the profile `p` is called: as its application names the one at that origin,
 * else its host. Null: the profile is at another provider.
 */
export const caldavServerOf = (p: string) =>
  `CASE WHEN ${p}.provider = 'caldav' THEN coalesce((SELECT name FROM caldav_servers WHERE application_id = ${p}.application_id
    AND starts_with(${p}.subject, substring(url from '^[a-z]+://[^/]+') || '/') ORDER BY created_at LIMIT 1), substring(${p}.subject from '^[a-z]+://([^/]+)')) END`;
