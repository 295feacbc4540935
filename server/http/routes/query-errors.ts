import type { EndpointError } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";

/** The errors of every query that can name calendars. */
export const calendarQueryErrors: readonly EndpointError[] = [
  { key: "errors.invalid_type", field: "any", when: "sent with brackets, or `calendar_ids` without them" },
  { key: "errors.invalid", field: "any", when: "not a parameter, but nearly the name of one" },
  { key: "errors.invalid", field: "calendar_ids[0]", when: "several ids in one value" },
  {
    key: "errors.too_big",
    field: "calendar_ids",
    when: `more than ${limits.readCalendars} ids, or an id over ${limits.id} characters`,
  },
  { key: "errors.too_small", field: "calendar_ids[0]", when: "empty" },
];
