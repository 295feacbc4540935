import { bool, jsonText, nullable } from "@/server/db/statement";
import type { StaffTrigger } from "@/server/services/staff/channels/shapes";

/** Returns SQL for what staff see of the trigger behind the channel `c`. Null: it is none, or the trigger was deleted. */
export const triggerSelected = `c.of_trigger AS "isOfTrigger", (SELECT json_build_object('id', g.id, 'anchor', g.anchor, 'minutes', g.minutes,
  'calendars', CASE WHEN NOT g.all_calendars THEN cardinality(g.calendar_ids) END, 'onlyManaged', g.only_managed, 'minGuests', g.min_guests)
  FROM triggers g WHERE g.channel_id = c.id) AS trigger`;

export const triggerColumns = { isOfTrigger: bool, trigger: nullable(jsonText<StaffTrigger>()) };
