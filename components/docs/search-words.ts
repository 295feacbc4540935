/** Groups of synonyms. Each word also finds the others. */
const groups: readonly (readonly string[])[] = [
  ["bearer", "access token", "authorization", "authentication", "login"],
  ["api key", "apikey", "client secret", "credentials", "client id"],
  ["pagination", "paging", "paginate", "next_page", "cursor", "per page"],
  ["timezone", "time zone", "tzid", "tz", "utc offset"],
  ["dst", "daylight saving", "summer time", "clock change"],
  ["idempotency", "idempotent", "duplicate", "same body twice", "event_id", "retry"],
  ["retry", "retries", "backoff", "retry-after", "exponential"],
  ["webhook", "callback", "notification", "channel", "push notification", "subscription", "subscribe"],
  ["rotate", "rotation", "roll", "leaked", "compromised"],
  ["hmac", "signature", "verify", "signing"],
  ["rrule", "recurrence", "recurring", "repeat", "series", "rule"],
  ["attendee", "guest", "invite", "invitation", "participant"],
  ["rsvp", "reply", "replies", "participation_status"],
  ["zoom", "video", "conferencing", "conference", "meeting link", "join_url"],
  ["throttle", "throttling", "rate limit", "quota", "429"],
  ["validation", "422", "invalid", "error key"],
  ["availability", "free_busy", "freebusy", "free/busy", "busy"],
  [
    "scheduling",
    "scheduler",
    "booking",
    "book",
    "book it",
    "hold",
    "reserve",
    "reservation",
    "slot",
    "find time",
    "meeting time",
  ],
  ["double booking", "conflict", "409", "booking_conflict", "taken"],
  ["feed", "change feed", "changes", "what changed", "change log", "audit", "cursor"],
  ["trigger", "reminder", "remind", "before an event", "event_start", "alarm"],
  ["standard webhooks", "webhook-signature", "svix"],
  ["write_refused", "refused", "rejected write"],
  ["mcp", "model context protocol", "ai assistant", "agent", "claude", "chatgpt", "llm"],
  ["delete", "remove", "cancel"],
  ["disconnect", "disconnected", "reconnect", "relink", "expired"],
  ["revoke", "offboard", "gdpr", "erase"],
  ["sdk", "library", "client librar", "npm", "pip"],
  ["mock", "testing", "sandbox", "test event"],
  ["delta", "incremental", "sync token", "changes_since", "last_modified"],
  ["all-day", "allday", "whole day"],
  ["postman", "insomnia", "bruno", "openapi", "swagger"],
  ["update", "upsert", "replace", "patch", "put"],
  ["ical", "ics", "icalendar", "caldav"],
  ["calendar feed", "ics", "webcal", "subscribed calendar", "internet calendar", "holidays"],
  ["cors", "frontend", "front end", "browser", "secrets and tokens on your server"],
  ["self-host", "self-hosted", "selfhost", "on-premise", "install", "docker", "deploy", "run in production"],
  ["polling", "poll", "next check", "how fast changes arrive"],
  ["changelog", "release notes", "releases"],
  ["go live", "going live", "checklist", "launch"],
];

/** Lists the synonyms of a typed word, in lower case. */
export function synonymsOf(word: string): string[] {
  if (word.length < 3) return [];
  const own = groups.filter((group) =>
    group.some((term) => term === word || (word.length > 4 && term.startsWith(word))),
  );
  return [...new Set(own.flat())].filter((term) => term !== word);
}
