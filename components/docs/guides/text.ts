import { generatedText, type Source } from "@/components/docs/generated/all";
import { receiverOf } from "@/components/docs/generated/responses";
import { isSandboxOff, recordedBody } from "@/components/docs/guide";
import { figures } from "@/components/docs/guides/figures";
import { isListName } from "@/components/docs/guides/list-names";
import { marksOf, resolved } from "@/components/docs/guides/marks";
import { findOperation } from "@/components/docs/operations";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { datedText } from "@/server/http/openapi/examples/dates";
import { eventExamples } from "@/server/http/openapi/examples/events";
import { exampleTime } from "@/server/http/openapi/examples/example";

const INSTANCE = "http://localhost:3000";
const RECEIVER = "http://localhost:9999";
const ADDRESS = /(http:\/\/localhost:(?:3000|9999))(\/[\w./-]*)?/g;
/** Paths that people open, at APP_URL. The API is at BASE_URL. */
const OF_PAGES = /^\/(oauth\/authorize|\.well-known|dashboard|docs)/;

/** Adapts a guide's file to this service: its addresses, its figures, its providers and the dates of this week. */
export function servedText(file: string, source: Source): string {
  const { document } = source;
  const addressed = withAddressesOf(document);
  const now = exampleTime + shiftOf(document);
  const text = resolved(marksOf(file), {
    text: (part) => addressed(datedText(withFigures(part), now)),
    isTrue: (condition) => isTrue(condition, document),
    generated: (name, body) => {
      if (isListName(name)) return `<!-- list: ${name} -->`;
      // Files that the image lacks are served as they were written into the guide.
      return name.startsWith("client ") ? body : required(name, generatedText(source, name));
    },
  });
  // Sections folded for readers of the repository don't apply here.
  return text.replace(/<details><summary>.*?<\/summary>|<\/details>/g, "");
}

function isTrue(condition: string, document: OpenApiDocument): boolean {
  if (condition === "the sandbox is on") return !isSandboxOff(document);
  if (condition === "the sandbox is off") return isSandboxOff(document);
  const [, provider] = /^(.+) is set up$/.exec(condition) ?? [];
  if (provider) return document["x-providers"].some(({ title }) => title === provider);
  throw new Error(`guides know no condition “${condition}”`);
}

/** Replaces `{{limits.guests}}` with the figure that the code uses. */
function withFigures(text: string): string {
  return text.replace(/\{\{(\w+\.\w+)\}\}/g, (_, name: string) => required(name, figures[name]));
}

function required(name: string, text: string | null | undefined): string {
  if (text === undefined || text === null) throw new Error(`guides have nothing called ${name}`);
  return text;
}

/**
 * Returns a function that replaces the addresses of one's own machine with this service's. Links lead from page to
 * page.
 */
function withAddressesOf(document: OpenApiDocument): (text: string) => string {
  const api = document.servers[0]?.url ?? "";
  const pages = findOperation(document, "authorize")?.server ?? api;
  const receiver = receiverOf(document);
  const standsFor = (address: string, path = "") => {
    if (address === RECEIVER) return receiver;
    return `${OF_PAGES.test(path) ? pages : api}${path}`;
  };
  return (text) => withLinks(text).replace(ADDRESS, (_, address: string, path?: string) => standsFor(address, path));
}

/** Turns links between files, and to the instance, into links to its pages. */
export function withLinks(text: string): string {
  return (
    text
      // A page that the site lacks: its name is enough.
      .replace(/\[([^\]]+)\]\((?:\.\.?\/)+(?:(?!CHANGELOG)[\w-]*\/)*(?:README\.md|[\w-]+)\)/g, "$1")
      .replaceAll(`](${INSTANCE}/`, "](/")
      .replace(
        /\]\((?:\.\.?\/)*(?:docs\/)?(?:guides\/)?([\w-]+)\.md(#[\w.-]+)?\)/g,
        (_, name: string, id = "") => `](${pathOf(name)}${id})`,
      )
  );
}

/** Returns the path of a file's page. */
export function pathOf(name: string): string {
  return `/docs/${name.toLowerCase()}`;
}

/** Computes how much later the document's examples are than their recordings, in milliseconds. */
function shiftOf(document: OpenApiDocument): number {
  const startOf = (body: unknown) => Date.parse((body as { start: string }).start);
  const kept = eventExamples.find(({ name }) => name === "all_day")?.body;
  return startOf(recordedBody(document, "writeEvent", "all_day")) - startOf(kept);
}
