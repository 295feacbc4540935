import type { EventState } from "@/server/domain/events/event-state";
import type { Issue } from "@/server/domain/issues";
import { type Provider, providerTraits } from "@/server/domain/providers";
import { connectorOf } from "@/server/providers/connectors";

/**
 * Finds what a calendar's provider could never have of a series ("a well-formed body the calendar cannot carry out
 * answers with the calendar's key").
 * @param sendsRule whether the body says how the event repeats, or keeps how it does
 */
export function unwritableSeries(provider: Provider, state: EventState, sendsRule: boolean): Issue[] {
  const fault = connectorOf(provider)?.unwritable?.(state) ?? null;
  const { label } = providerTraits[provider];
  if (fault === "time_zone") {
    const description = `tzid is not a time zone in which an event can repeat in a ${label} calendar`;
    return [{ path: ["tzid"], key: "errors.invalid", description }];
  }
  if (fault === null) return [];
  const reason = `a ${label} calendar can't repeat an event on several weekdays of a month`;
  if (!sendsRule)
    return [
      { path: ["recurrence"], key: "errors.not_supported", description: `recurrence is unchanged, but ${reason}` },
    ];
  const path = ["recurrence", "rules", 0, "by_day"];
  return [{ path, key: "errors.not_supported", description: `recurrence.rules[0].by_day is not supported: ${reason}` }];
}
