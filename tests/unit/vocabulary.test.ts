import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Comments are for those who read the code. An address has two slashes as well. */
const comments = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(,])\/\/ .*$/gm;

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`);

const pages = [
  ...["README.md", "CHANGELOG.md", "SECURITY.md", "sdk/README.md", "sdk/python/README.md"],
  ...filesIn("docs", /\.md$/),
];
const code = ["app", "components", "server"]
  .flatMap((folder) => filesIn(folder, /\.(ts|tsx|mjs)$/))
  // What Prisma generates isn't ours, statements aren't read by users, and the other languages have their own lists.
  .filter((file) => !/db\/generated\/|\.sql\.ts$|connect\/words\/(de|es|fr|ja)\.ts$/.test(file));

/** What a user may read, in one line for each file: a sentence in JSX goes over several. */
const texts = [...pages, ...code].map((file) => {
  const text = readFileSync(file, "utf8");
  return { file, text: (file.endsWith(".md") ? text : text.replaceAll(comments, "")).replaceAll(/\s+/g, " ") };
});

/** Lists where a wording is, with what stands around it. */
function placesOf(wording: RegExp, among = texts): string[] {
  return among.flatMap(({ file, text }) =>
    [...text.matchAll(new RegExp(wording, "g"))].map(
      ({ 0: found, index }) => `${file}: …${text.slice(Math.max(0, index - 30), index + found.length + 30)}…`,
    ),
  );
}

const notSaid: Readonly<Record<string, readonly RegExp[]>> = {
  "again, in the meantime, manually, someone": [
    ...[
      /\banew\b/,
      /\b[Mm]eanwhile\b/,
      /\bby hand\b/,
      /(?<!")\b([Ss]ome|[Ee]very)body\b/,
      /\bonce more\b/,
      /\bany more\b/,
    ],
    ...[
      /\be-mail\b/,
      /\bat the moment\b/,
      /\ball the same\b/,
      /\bof yours\b/,
      /\b(a|no|the|your|is) mistakes?\b/,
      /\bmend(s|ed)?\b/,
    ],
  ],
  "simulate a change, simulate errors": [
    ...[/[Pp]lays? (another|the other) person/, /[Aa]sks? for (a fault|faults)/, /application has to survive/],
    ...[/[Rr]equested fault"/, /The connection comes back/, /made for you and removed/, /put in by itself/],
  ],
  "profiles, channels and background jobs": [
    ...[/Mailboxes with problems/, /Background work/, /With push/, /Writes waiting/, /"(No|all) mailboxes"/],
    ...[/by failing endpoints/, /queued signal/, /"Chores"/, /calendar programs?\b/],
  ],
  "what happens, and what to do": [
    ...[/as #rrggbb/, /What follows the \?/, /its last three attempts failed/, /From the next request on, its tokens/],
    ...[/closes as with DELETE/, /shows the channel unchanged/, /without attempts, until/, /how one of them begins/],
    ...[/Retry deliveries since/, /Also those that were delivered/, /Filled in: when/, /skipped: \d/],
    ...[/No such (delivery|channel|account|application|host|mailbox)/, /Edit reach/, /[Oo]f a mailbox tried/],
  ],
  "the words of RFC 6749": [/RFC 6749 has it/, /Not sent (today|here)/, /find the addresses by themselves/],
  "one sentence of a guide or a README": [
    ...[/every so many of them/, /never the texts/, /Which credential where/, /What a calendar has, whoever/],
    ...[/Events of other people/, /in which the clocks change/, /an application of its own for production/],
    ...[/count PostgreSQL apart/, /Seconds between looks/, /Four fifths of the disk/, /Elsewhere Google accepts/],
    ...[/enter these two by/, /Stands for yours/, /What is the client's own/, /may be doubled that was/],
    ...[/and no library\b/, /invites the user.{0,3}Somebody/, /a word more/],
  ],
  "the first rounds' list: pages": [
    ...[
      /don.t belong together/,
      /is not known to us/,
      /said the same thing twice/,
      /What arrived here/,
      /if it stays so/,
    ],
    ...[/tried too often/, /This page is too old/, /Didn.t arrive/, /no valid HTTP/, /our own fault/, /on its way\b/],
    ...[
      /Its deliveries/,
      /Keep as it is/,
      /Say first which/,
      /takes the whole id/,
      /What came of it/,
      /Errors by kind/,
    ],
    ...[/has to connect again/, /Kept by Almanac/, /cannot be taken back/, /this very string/, /holds from its next/],
    ...[
      /Present password/,
      /These keys/,
      /As the system/,
      /There is no such page/,
      /It is not here/,
      /somebody unknown/,
    ],
    ...[/Signals set aside/, /nobody woke/, /Look closer/, /Where is your calendar\?/, /Use another calendar/],
  ],
  "the first rounds' list: documentation": [
    ...[
      /Be told of/,
      /How to take it/,
      /When you do not answer/,
      /^#+ Change a secret/,
      /Move over\b/,
      /Every endpoint/,
    ],
    ...[/The answer holds/, /Reads leave out what/, /asking for more is/, /a day that no calendar/, /is another body/],
    ...[/whose turn it is/, /is not a text/, /Who is in both/, /nobody is told/, /Not beside/, /[Gg]uests are told/],
  ],
};

describe("what users read says", () => {
  it.each(Object.entries(notSaid))("%s", (_, wordings) => {
    expect(wordings.flatMap((wording) => placesOf(wording))).toEqual([]);
  });

  it("route for a route of the API, and endpoint for what receives webhooks or what RFC 6749 calls so", () => {
    const text = readFileSync("server/http/openapi/openapi.json", "utf8").replaceAll(
      /"(x-)?[a-z_]*endpoint[a-z_]*":/g,
      "",
    );
    const guides = texts.filter(({ file }) => file.startsWith("docs/guides/"));
    const document = { file: "openapi.json", text: text.replaceAll(/`[^`]*`/g, "") };
    const routes = /(?<!OAuth |the |every |\/|_|: )\bendpoints?\b(?!-errors|_)/;
    expect(placesOf(routes, [document])).toEqual([]);
    expect(placesOf(/\/v1` endpoint|account and endpoint|\| Endpoint \|/, [document, ...guides])).toEqual([]);
  });

  it("Developer plan for the plan, and Developer for the role", () => {
    expect(readFileSync("components/dashboard/applications/words.ts", "utf8")).toContain('developer: "Developer plan"');
  });
});

describe("a wording is found", () => {
  it("in JSX over two lines, and in Markdown, but not in a comment", () => {
    const found = placesOf(/\banew\b/, [{ file: "a.tsx", text: "<p>It is read anew.</p>" }]);
    expect(found).toHaveLength(1);
    expect("const a = 1; // anew\n/* anew */".replaceAll(comments, "")).not.toMatch(/anew/);
    expect('const url = "https://anew.example";'.replaceAll(comments, "")).toMatch(/anew/);
  });
});
