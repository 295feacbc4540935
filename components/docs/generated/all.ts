import { otherNames } from "@/components/docs/generated/compatibility";
import { endpointErrors, redirectErrors } from "@/components/docs/generated/errors";
import { eventsInTokyo, occurrences } from "@/components/docs/generated/pages";
import { connectionTable, providerTable } from "@/components/docs/generated/providers";
import { reasonTable } from "@/components/docs/generated/reasons";
import {
  changesPage,
  firstCalendars,
  firstPage,
  invalidEvent,
  recordedFirst,
} from "@/components/docs/generated/responses";
import { changeSample, notificationTable, receiverOutput, retryTable } from "@/components/docs/generated/webhooks";
import { recorded } from "@/components/docs/guide";
import { inWords } from "@/components/docs/in-words";
import { introductionPart } from "@/components/docs/introduction";
import type { SampleText } from "@/components/docs/sample";
import { written } from "@/components/docs/written/parts";
import type { Provider, ProviderTraits } from "@/server/domain/providers";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

export interface Source {
  document: OpenApiDocument;
  traits: Readonly<Record<Provider, ProviderTraits>>;
}

type Make = (source: Source, ...words: string[]) => string;

/**
 * Content that guides get from the code, by the first word of `<!-- generated: … -->`. The remaining words are
 * arguments.
 */
const makers: Record<string, Make> = {
  summary: ({ document }) => document.info.summary,
  introduction: ({ document }, heading = "", paragraph = "") => introduced(document, heading, paragraph),
  connectable: ({ document }) => connectable(document["x-providers"].map(({ title }) => title)),
  response: sampled(({ document }, operation = "", example = "") => recorded(document, operation, example)),
  "first-response": sampled(({ document }, operation = "", example = "", printed) =>
    recordedFirst(document, operation, example, printed),
  ),
  "first-calendars": sampled(({ document }, printed) => firstCalendars(document, printed)),
  "first-changes": sampled(({ document }) => changesPage(document)),
  "first-events": sampled(({ document }) => firstPage(document, "events")),
  "first-busy": sampled(({ document }) => firstPage(document, "free_busy")),
  "invalid-event": sampled(() => invalidEvent()),
  "receiver-output": sampled(({ document }) => receiverOutput(document)),
  "events-in-tokyo": sampled(({ document }) => eventsInTokyo(document)),
  occurrences: sampled(({ document }) => occurrences(document)),
  change: sampled(({ document }) => changeSample(document)),
  notifications: () => notificationTable(),
  reasons: () => reasonTable(),
  retries: () => retryTable(),
  "compatible-names": ({ document }) => otherNames(document),
  "endpoint-errors": () => endpointErrors(),
  "redirect-errors": () => redirectErrors(),
  providers: ({ document, traits }, name = "") => providerTable(document, traits, name),
  "connection-states": ({ document }) => connectionTable(document),
};

/** Generates the Markdown for a name. Null: unknown. */
export function generatedText(source: Source, name: string): string | null {
  const [first = "", ...words] = name.split(" ");
  return makers[first]?.(source, ...words) ?? null;
}

function sampled(make: (source: Source, ...words: string[]) => SampleText): Make {
  return (source, ...words) => written(make(source, ...words));
}

/** Returns a part of the API's introduction, or one of its paragraphs. */
function introduced(document: OpenApiDocument, heading: string, paragraph: string): string {
  const text = introductionPart(document, heading.replaceAll("-", " "));
  return paragraph ? (text.split("\n\n")[Number(paragraph) - 1] ?? "") : text;
}

/** Lists only providers that this service has: nobody builds on a future one. */
function connectable(providers: readonly string[]): string {
  if (providers.length === 0)
    return "No calendar provider is set up on this service yet. Ask your Almanac administrator.";
  return `Users can connect their ${inWords(providers, "and")} calendars.`;
}
