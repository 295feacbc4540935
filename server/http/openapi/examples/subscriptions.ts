import { type Example, known } from "@/server/http/openapi/examples/example";
import { stableId } from "@/server/http/openapi/examples/stable";

const roster = { url: "webcal://calendars.acme.io/roster-5d41402a.ics", name: "Roster" };

/** Subscribing to a feed and ending that, so that reads show nothing of it. */
export const subscriptionExamples: readonly Example[] = [
  {
    operation: "createSubscription",
    name: "feed",
    summary: "A feed that is read twice an hour",
    body: { ...roster, refresh_minutes: 30 },
    status: 201,
  },
  {
    operation: "createSubscription",
    name: "again",
    summary: "The same address again: another name",
    body: { ...roster, name: "Roster of the practice" },
    status: 201,
  },
  {
    operation: "createSubscription",
    name: "mistakes",
    isMistake: true,
    summary: "All errors of a body at once",
    body: { url: "http://10.0.0.7/roster.ics", name: " ", refresh_minutes: 1 },
    status: 422,
  },
  { operation: "listSubscriptions", name: "subscriptions", summary: "All subscriptions", status: 200 },
  {
    operation: "deleteSubscription",
    name: "feed",
    summary: "End a subscription",
    path: { calendar_id: known.subscribedCalendarId },
    status: 202,
  },
  {
    operation: "deleteSubscription",
    name: "unknown",
    summary: "A calendar that isn't a feed",
    path: { calendar_id: stableId("cal", 99) },
    status: 404,
  },
];
