import { readdirSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { examplesOf } from "@/components/docs/examples";
import type { Field } from "@/components/docs/fields";
import { shapes } from "@/components/docs/fields";
import type { Section } from "@/components/docs/guide";
import { allGuides, guides } from "@/components/docs/guides/all";
import { toned } from "@/components/docs/highlight";
import { markdownParts, runsOf } from "@/components/docs/markdown-parts";
import { navigationGroups } from "@/components/docs/navigation-items";
import { findOperation, operationPath, operations } from "@/components/docs/operations";
import { docsPages } from "@/components/docs/pages";
import { searchIndex } from "@/components/docs/search-index";
import { matches } from "@/components/docs/search-match";
import { slug } from "@/components/docs/slug";
import { openApiDocument } from "@/server/http/openapi/document";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { scenario } from "@/server/http/openapi/examples/scenario";
import type { Wording } from "@/server/http/openapi/wording";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;
const wording = {
  baseUrl: "https://api.almanac.test",
  appUrl: "https://app.almanac.test",
  names: "product",
  offered: ["icloud"],
  standIn: null,
  now: NOW,
} as const satisfies Wording;
const document = openApiDocument(wording);
const all = allGuides(document);
const index = searchIndex(document);
const pages = new Map<string, Set<string>>([
  ["/docs", new Set(["build", "run", "operate"])],
  ...all.map(({ path, sections }): [string, Set<string>] => [path, new Set(sections.flatMap(idsOf))]),
  ["/docs/reference", new Set()],
  ...operations(document).map(({ operation }): [string, Set<string>] => [
    operationPath(operation.operationId),
    new Set(),
  ]),
]);
const keys = Object.keys(document["x-error-keys"]);
for (const key of keys) pages.get("/docs/errors")?.add(key);

describe("the documentation", () => {
  it("has a page for each operation of the document, and each is in the navigation", () => {
    const ids = [...Object.values(document.paths), ...Object.values(document.webhooks)]
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId);
    expect(ids.filter((id) => !findOperation(document, id))).toEqual([]);
    const listed = navigationGroups(document).flatMap(({ places }) => places.map(({ path }) => path));
    expect(new Set(listed)).toEqual(new Set(pages.keys()));
    expect(listed).toHaveLength(new Set(listed).size);
  });

  it("draws every page of the navigation", async () => {
    const drawn = new Map(docsPages(document).map((page) => [page.path, page]));
    expect(new Set(drawn.keys())).toEqual(new Set(pages.keys()));
    for (const { content, title } of drawn.values()) {
      expect(renderToStaticMarkup(await content())).toContain(`>${escaped(title)}</h1>`);
    }
  });

  it("links only to pages and sections that are there", () => {
    const texts = [
      ...all.flatMap(({ path, sections }) =>
        sections.flatMap(({ blocks }) => blocks.map((block) => ({ path, block }))),
      ),
      ...descriptions().map((block) => ({ path: "", block })),
    ];
    const links = texts.flatMap(({ path, block }) => {
      const runs = typeof block === "string" ? block.split("\n").flatMap(runsOf) : [];
      const hrefs = runs.flatMap(({ kind, href = "" }) => (kind === "link" ? [href] : []));
      return hrefs.map((href) => (href.startsWith("#") ? `${path}${href}` : href));
    });
    expect(links.length).toBeGreaterThan(5);
    const own = new Set(["/openapi.json", "/openapi/postman.json"]);
    expect(
      [...links, ...index.map(({ path }) => path)].filter((href) => !own.has(href) && !leadsSomewhere(href)),
    ).toEqual([]);
  });

  it.each([
    [["icloud"], /iCloud/, /Google|Microsoft|Outlook/],
    [["google", "icloud"], /Google and iCloud/, /Microsoft|Outlook/],
    [["google", "microsoft", "outlook", "icloud"], /Google, Microsoft 365, Outlook\.com and iCloud/, /^$/],
    [[], /No calendar provider is set up/, /Google|Microsoft|Outlook|iCloud/],
  ] as const)("names the providers that can be connected, and no others: %s", (offered, named, unnamed) => {
    const text = wordsOf(openApiDocument({ ...wording, offered }));
    expect(text).toMatch(named);
    expect(text).not.toMatch(unnamed);
  });

  it("says CalDAV where another server stands in for iCloud", () => {
    const text = wordsOf(openApiDocument({ ...wording, standIn: "calendars.acme.io" }));
    expect(text).toContain("Users can connect their CalDAV (calendars.acme.io) calendars.");
    expect(text).not.toContain("iCloud");
  });

  it("asks in its examples for times that reads reach, and shows what is there then", () => {
    const texts = operations(document).flatMap((located) =>
      examplesOf(located, {}).flatMap(({ request, response }) => [request.text, response?.text ?? ""]),
    );
    const shell = guides(document).flatMap(({ sections }) =>
      sections.flatMap(({ blocks }) =>
        blocks.map((block) => (typeof block === "object" && "text" in block ? block.text : "")),
      ),
    );
    const dates = [...texts, ...shell].flatMap((text) => text.match(/\b\d{4}-\d{2}-\d{2}(?!\d)/g) ?? []);
    expect(dates.length).toBeGreaterThan(50);
    // The quickstart's impossible date is a mistake on purpose.
    const outside = dates.filter((day) => day !== "2026-02-30" && !isReached(Date.parse(day)));
    expect(outside).toEqual([]);
  });

  it("leaves no mark of Markdown unread", () => {
    const texts = all
      .flatMap(({ sections }) => sections.flatMap(({ blocks }) => blocks))
      .filter((b) => typeof b === "string");
    const read = [...texts, ...descriptions(), document.info.description].flatMap(markdownParts).flatMap((part) => {
      if (part.kind === "list") return part.items;
      if (part.kind === "table") return [...part.head, ...part.rows.flat()];
      return [part.text];
    });
    const left = read.flatMap(runsOf).filter(({ kind, text }) => kind === "text" && /`|\*\*|\]\(|^\||^#/.test(text));
    expect(left).toEqual([]);
  });

  it("shows a request and an answer for every example of the document", () => {
    for (const located of operations(document)) {
      if (located.isNotification) continue;
      const own = scenario.filter(({ operation }) => operation === located.operation.operationId);
      const shown = examplesOf(located, Object.fromEntries(own.map(({ name, status }) => [name, status])));
      expect(new Map(shown.map(({ name, status }) => [name, status]))).toEqual(
        new Map(own.map(({ name, status }) => [name, status])),
      );
      for (const { request } of shown) expect(request.text).not.toContain("{calendar_id}");
    }
  });

  it("names every field of a body with its type", () => {
    const unnamed = operations(document).flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {})
        .flatMap(({ schema }) => shapes(document, schema))
        .flatMap(({ fields }) => fields.flatMap(every))
        .filter(({ kind }) => kind === "" || kind.includes("undefined") || kind.includes("value")),
    );
    expect(unnamed).toEqual([]);
  });

  it("colours code without changing it", () => {
    const samples = operations(document).flatMap((located) =>
      examplesOf(located, {}).flatMap((e) => [e.request, e.response]),
    );
    for (const sample of samples) {
      if (!sample) continue;
      expect(
        toned(sample.text, sample.language)
          .map(({ text }) => text)
          .join(""),
      ).toBe(sample.text);
    }
    expect(toned('{"a": "b", "c": null}', "json").filter(({ tone }) => tone !== "plain")).toEqual([
      { tone: "string", text: '"b"' },
      { tone: "word", text: "null" },
    ]);
  });

  it("has the code of each language that the page names", () => {
    const files = readdirSync("components/docs/webhook-code").sort();
    expect(files).toEqual(["go.go", "node.mjs", "php.php", "python.py", "ruby.rb"]);
  });
});

describe("its search", () => {
  it.each([
    ["occurrence_date", "/docs/reference/"],
    ["availability", "/docs/scheduling"],
    ["buffer", "/docs/reference/findAvailability"],
    ["errors.too_big", "/docs/errors#errors.too_big"],
    ["rotation", "/docs/webhooks#rotation"],
    ["POST channels", "/docs/reference/openChannel"],
    ["refresh", "/docs/authentication#refresh"],
    ["only_managed", "/docs/reference/"],
    ["changelog", "/docs/changelog"],
    ["ical", "/docs/caldav"],
    ["cors", "/docs/authentication#credentials"],
    ["self-host", "/docs/install"],
    ["polling", "/docs/providers"],
    ["quikstart", "/docs/quickstart"],
    ["booking_conflict", "/docs/changes#change"],
    ["triggers", "/docs/webhooks#triggers"],
    ["hold_seconds", "/docs/scheduling#book"],
    ["refresh_minutes", "/docs/subscriptions#subscribe"],
  ])("finds %s", (typed, path) => {
    expect(matches(index, typed).some((found) => found.path.startsWith(path))).toBe(true);
  });

  it.each([
    ["bearer", "/docs/authentication"],
    ["pagination", "/docs/quickstart#event"],
    ["timezone", "/docs/time-zones"],
    ["idempotency", "/docs/errors#again"],
    ["retry", "/docs/errors#again"],
    ["rrule", "/docs/recurrence"],
    ["attendee", "/docs/guests#invite"],
    ["throttling", "/docs/limits#rates"],
    ["zoom", "/docs/meeting-links"],
    ["availability", "/docs/reference/listFreeBusy"],
    ["scheduler", "/docs/scheduling"],
    ["reserve", "/docs/scheduling#book"],
    ["reminder", "/docs/webhooks#triggers"],
    ["audit", "/docs/changes#compare"],
    ["webcal", "/docs/subscriptions"],
  ])("finds by another word for it: %s", (typed, path) => {
    expect(matches(index, typed).map((found) => found.path)).toContain(path);
  });

  it("shows the line that has the word, or the other word for it, and says what to mark", () => {
    const [first] = matches(index, "Pagination");
    expect(first?.line).toContain("pages.next_page");
    expect(first?.marked.some((term) => first.line.toLowerCase().includes(term))).toBe(true);
    for (const typed of ["raw body", "409.6", "svc-signature", "retry-after"]) {
      for (const { line, marked, title } of matches(index, typed)) {
        const shown = `${title} ${line}`.toLowerCase();
        expect(marked.filter((term) => shown.includes(term)).length, typed).toBeGreaterThan(0);
      }
    }
  });

  it("puts the word itself before others for it", () => {
    expect(matches(index, "retry")[0]?.title).toMatch(/retry/i);
  });

  it("finds nothing for what is nowhere, and nothing for nothing", () => {
    expect(matches(index, "zeppelin")).toEqual([]);
    expect(matches(index, "  ")).toEqual([]);
  });
});

/** Of a section, and of the headings within it. */
function idsOf({ id, blocks }: Section): string[] {
  const parts = blocks.flatMap((block) => (typeof block === "string" ? markdownParts(block) : []));
  return [id, ...parts.flatMap((part) => (part.kind === "heading" ? slug(part.text) : []))];
}

/** Everything that a page or the document says in sentences. */
function wordsOf(served: OpenApiDocument): string {
  const texts = guides(served).flatMap(({ lead, sections }) => [lead, ...sections.flatMap(({ blocks }) => blocks)]);
  const { info, paths } = served;
  return JSON.stringify([texts, info, paths["/oauth/authorize"]]);
}

/** "42 days back to 201 days ahead" ("Limits"). */
function isReached(time: number): boolean {
  return time > NOW - 42 * DAY_MS && time < NOW + 201 * DAY_MS;
}

/** As markup writes it. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("'", "&#x27;");
}

function leadsSomewhere(href: string): boolean {
  const [path = "", id] = href.split("#");
  const ids = pages.get(path);
  return ids !== undefined && (id === undefined || ids.has(id));
}

function descriptions(): string[] {
  return operations(document).map(({ operation }) => operation.description);
}

function every(field: Field): Field[] {
  return [field, ...field.fields.flatMap(every)];
}
