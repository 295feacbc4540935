import { exceptionsOf, isGenerated } from "./instances";
import type { CalendarRecord, EventResource, StoredEvent, World } from "./state";
import { epochOf, movedBy } from "./times";

/** Fields of an exception that never follow the series. */
const own = new Set([
  "id",
  "recurringEventId",
  "originalStartTime",
  "recurrence",
  "created",
  "updated",
  "sequence",
  "start",
  "end",
]);
const openness = ["public", "default", "private", "confidential"];

/** What a change of a recurring event does to its exceptions. */
export function changeExceptions(
  world: World,
  calendar: CalendarRecord,
  before: EventResource,
  master: StoredEvent,
): void {
  for (const exception of exceptionsOf(calendar, master.resource.id)) {
    if (master.resource.status === "cancelled") cancel(world, exception);
    else if (isReset(before, master.resource) || !isGenerated(master, exception))
      drop(world, calendar, master, exception);
    else inherit(world, before, master.resource, exception);
  }
}

/** [K]: another start or rule drops exceptions. Of EXDATE and RDATE lines alone only the instances that go are affected. */
function isReset(before: EventResource, after: EventResource): boolean {
  const rules = ({ start, recurrence }: EventResource) =>
    JSON.stringify([start, (recurrence ?? []).filter((line) => /^(RRULE|EXRULE)/.test(line))]);
  return rules(before) !== rules(after);
}

/** An instance that still exists is as the series again; one that does not is reported as cancelled [K]. */
function drop(world: World, calendar: CalendarRecord, master: StoredEvent, exception: StoredEvent): void {
  if (master.resource.recurrence && isGenerated(master, exception)) calendar.events.delete(exception.resource.id);
  else cancel(world, exception);
}

function cancel(world: World, exception: StoredEvent): void {
  if (exception.resource.status === "cancelled") return;
  exception.resource.status = "cancelled";
  exception.version = world.nextVersion();
}

/** [K]: an exception follows the series in the fields that it has in common with it. */
function inherit(world: World, before: EventResource, after: EventResource, exception: StoredEvent): void {
  const resource: Record<string, unknown> = { ...exception.resource };
  const [old, current] = [before, after] as Record<string, unknown>[];
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const names = Object.keys({ ...old, ...current }).filter(
    (name) => !own.has(name) && !same(old?.[name], current?.[name]) && same(resource[name], old?.[name]),
  );
  for (const name of names) {
    if (current?.[name] === undefined) delete resource[name];
    else resource[name] = structuredClone(current[name]);
  }
  exception.resource = { ...resource, id: exception.resource.id };
  if (followLength(before, after, exception.resource) || names.length > 0) exception.version = world.nextVersion();
}

/** An exception that only differs in other fields than its time gets the new length of the series. */
function followLength(before: EventResource, after: EventResource, exception: EventResource): boolean {
  const length = ({ start, end }: EventResource) => epochOf(end ?? {}) - epochOf(start ?? {});
  if (!before.end || !after.end || !exception.start || !exception.originalStartTime) return false;
  const isMoved = epochOf(exception.start) !== epochOf(exception.originalStartTime);
  if (isMoved || length(exception) !== length(before) || length(before) === length(after)) return false;
  exception.end = movedBy(exception.start, length(after));
  return true;
}

/**
 * Field `visibility`: a more restrictive setting of one instance applies to all instances, a less restrictive one is ignored.
 * Returns what the instance has after that.
 */
export function sharedVisibility(master: StoredEvent, wanted: string | null | undefined): string | undefined {
  const current = master.resource.visibility ?? "default";
  const asked = wanted ?? "default";
  if (openness.indexOf(asked) > openness.indexOf(current)) master.resource.visibility = asked;
  return master.resource.visibility ?? undefined;
}
