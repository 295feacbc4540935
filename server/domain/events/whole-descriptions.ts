import { wholeDescription } from "@/server/domain/events/clipped-description";
import type { EventState, OccurrenceChanges } from "@/server/domain/events/event-state";

/**
 * Restores descriptions of `own`, the event's and its occurrences', in an event that was read, if the provider keeps
 * only the beginning of them.
 * @param limit `ProviderTraits.descriptionLimit`
 */
export function withWholeDescriptions(own: EventState, read: EventState, limit: number | null): EventState {
  const long = limit === null ? [] : descriptionsOf(own).filter((description) => description.length > limit);
  if (long.length === 0) return read;
  const whole = (text: string) =>
    long.reduce((found, description) => wholeDescription(description, found, limit), text);
  const occurrence = (fields: OccurrenceChanges) =>
    fields.description === undefined ? fields : { ...fields, description: whole(fields.description) };
  const { icalRecurrence } = read;
  return {
    ...read,
    description: whole(read.description),
    icalRecurrence: icalRecurrence && {
      ...icalRecurrence,
      overrides: icalRecurrence.overrides.map((one) => ({ ...one, fields: occurrence(one.fields) })),
    },
  };
}

function descriptionsOf({ description, ruleSeries, icalRecurrence }: EventState): string[] {
  const ruled = ruleSeries?.changed.flatMap(({ texts }) => texts.description ?? []) ?? [];
  const received = icalRecurrence?.overrides.flatMap(({ fields }) => fields.description ?? []) ?? [];
  return [description, ...ruled, ...received];
}
