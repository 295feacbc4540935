/** What happened to an event, as the feed of changes says it. */
export const changeKinds = ["created", "updated", "deleted", "replied", "link_added", "booking_conflict"] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** The fields of an event that a change names. */
export const changedFields = [
  "summary",
  "description",
  "location",
  "url",
  "start",
  "end",
  "tzid",
  "transparency",
  "event_private",
  "status",
  "participation_status",
  "organizer",
  "attendees",
  "categories",
  "conferencing",
  "recurrence",
] as const;

export type ChangedField = (typeof changedFields)[number];
