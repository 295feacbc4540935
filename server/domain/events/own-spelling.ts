import { clippedDescription } from "@/server/domain/events/clipped-description";
import type { EventState } from "@/server/domain/events/event-state";
import { withWholeDescriptions } from "@/server/domain/events/whole-descriptions";
import type { ProviderTraits } from "@/server/domain/providers";

type TextTraits = Pick<ProviderTraits, "descriptionLimit" | "summaryLimit" | "keepsDocuments">;

/** Normalizes a text as a provider does that stores it as a document, where spaces and empty lines don't count. */
export function documentText(text: string): string {
  const lines = text.split(/\r\n?|\n/).map((line) => line.replace(/[\s\u00a0]+/g, " ").trim());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Replaces texts of an event that was read with those of `own`, the event's and its occurrences', if they differ only
 * by what the provider does to them: cutting long ones, or changing spaces.
 */
export function withOwnSpelling(own: EventState, read: EventState, traits: TextTraits): EventState {
  const whole = withWholeDescriptions(own, read, traits.descriptionLimit);
  const { summaryLimit, keepsDocuments } = traits;
  if (summaryLimit === null && !keepsDocuments) return whole;
  const texts = textsOf(own);
  const summaries = spelling(texts.summaries, (text) => documentText(clippedDescription(text, summaryLimit)));
  const descriptions = spelling(keepsDocuments ? texts.descriptions : [], documentText);
  const { icalRecurrence } = whole;
  return {
    ...whole,
    summary: summaries(whole.summary),
    description: descriptions(whole.description),
    icalRecurrence: icalRecurrence && {
      ...icalRecurrence,
      overrides: icalRecurrence.overrides.map((one) => {
        const { summary, description } = one.fields;
        return {
          ...one,
          fields: {
            ...one.fields,
            ...(summary !== undefined && { summary: summaries(summary) }),
            ...(description !== undefined && { description: descriptions(description) }),
          },
        };
      }),
    },
  };
}

/** Maps each spelling to the original text. The event's own text comes first. */
function spelling(own: readonly string[], spell: (text: string) => string): (read: string) => string {
  const bySpelling = new Map([...own].reverse().map((text) => [spell(text), text]));
  return (read) => bySpelling.get(spell(read)) ?? read;
}

function textsOf({ summary, description, ruleSeries, icalRecurrence }: EventState) {
  const changes = [
    ...(ruleSeries?.changed.map(({ texts }) => texts) ?? []),
    ...(icalRecurrence?.overrides.map(({ fields }) => fields) ?? []),
  ];
  return {
    summaries: [summary, ...changes.flatMap((one) => one.summary ?? [])],
    descriptions: [description, ...changes.flatMap((one) => one.description ?? [])],
  };
}
