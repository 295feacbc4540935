import { DELIVERIES_KEPT_DAYS, REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import { durationWords } from "@/server/domain/time/duration-words";
import { VISIT_MS, VISITOR_BODY } from "@/server/domain/visitors";
import { count, limits } from "@/server/http/limits";
import { VISITOR } from "@/server/http/rate-limit/buckets";
import { SLOWEST_FOR_VISITORS_MS, SLOWEST_MS } from "@/server/http/sandbox-fault";
import { MOST_SLEEPERS } from "@/server/http/sleepers";

/** Every figure in the guides, from the constant that the code uses. */
export const figures: Readonly<Record<string, string>> = {
  ...named("limits", limits),
  ...named("kept", {
    deliveries: `${DELIVERIES_KEPT_DAYS} days`,
    requests: `${REQUESTS_KEPT_DAYS.standard} days`,
    developerRequests: `${REQUESTS_KEPT_DAYS.developer} days`,
  }),
  ...named("sandbox", {
    slowest: count(SLOWEST_MS),
    slowestForVisitors: count(SLOWEST_FOR_VISITORS_MS),
    sleepers: count(MOST_SLEEPERS.account),
    visit: durationWords(VISIT_MS),
    visitorBurst: count(VISITOR.burst),
    visitorBody: `${VISITOR_BODY / 1024} KB`,
  }),
};

function named(group: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]));
}
