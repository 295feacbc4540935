const MOST_EXAMPLES = 2;

/**
 * Prints, in Markdown, how many events are read as the others read them, why the rest is not, and what reading cost.
 * @param {(ReturnType<import("./compare.mjs").compare> & {path: string})[]} files
 * @param {string[]} names
 */
export function print(files, names) {
  const events = files.flatMap(({ path, events }) => events.map((event) => ({ path, ...event })));
  const others = names.length - 1;
  const count = (condition) => events.filter(condition).length;
  const rows = [
    ["files", files.length],
    ["files in which Almanac reads an event", files.filter(({ error }) => error === undefined).length],
    ["events that a reader finds", events.length],
    ["without an occurrence for any reader", count(({ isNothing }) => isNothing)],
    [`read as by all ${others} others`, count(({ equal }) => equal.length === others)],
  ];
  for (let n = others - 1; n > 0; n -= 1)
    rows.push([`read as by ${n} of them`, count(({ equal }) => equal.length === n)]);
  rows.push(
    ["read as by none", count(({ equal }) => equal.length === 0)],
    ["of these, two others agree", count((event) => event.difference !== null && isOutvoted(event))],
    ["differences without a reason", count(isUnexplained)],
  );
  table(["", names.join(", ")], [...rows, ...costs(files)]);
  reasons(events);
  grouped(
    "Files in which Almanac reads no event",
    files.filter(({ error }) => error !== undefined),
    ({ error }) => error,
  );
  grouped("Without a reason", events.filter(isUnexplained), ({ difference }) => difference);
}

function isOutvoted({ against, equal }) {
  return against.length > 0 && equal.length === 0;
}

function isUnexplained({ reason }) {
  return reason === null;
}

function costs(files) {
  const longest = files.toSorted((a, b) => b.longest - a.longest).slice(0, 3);
  return [
    [
      "longest pieces of work",
      longest.map(({ path, longest: ms }) => `${ms.toFixed(1)} ms (${nameOf(path)})`).join(", "),
    ],
    ["time of all files", `${(files.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(1)} s`],
    ["memory at most", `${Math.max(0, ...files.map(({ memory }) => memory))} MB`],
  ];
}

function reasons(events) {
  const byReason = groupsOf(
    events.filter(({ reason }) => reason),
    ({ reason }) => reason,
  );
  const rows = [...byReason].map(([reason, some]) => {
    const outvoted = some.filter(isOutvoted).length;
    const split = some.filter(({ against }) => against.length > 0).length - outvoted;
    return [reason, outvoted, split, some.length - outvoted - split, examplesOf(some)];
  });
  table(
    ["Reason", "Two agree, none with Almanac", "Two agree, another with Almanac", "No two agree", "Such as"],
    rows.sort((a, b) => b[1] - a[1] || b[2] - a[2] || b[3] - a[3]),
  );
}

function grouped(title, items, keyOf) {
  if (items.length === 0) return;
  const groups = [...groupsOf(items, keyOf)].sort(([, a], [, b]) => b.length - a.length);
  table(
    [title, "", "Such as"],
    groups.map(([key, some]) => [key, some.length, examplesOf(some)]),
  );
}

function groupsOf(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function examplesOf(some) {
  return [...new Set(some.map(({ path }) => nameOf(path)))].slice(0, MOST_EXAMPLES).join(", ");
}

/** Where a file is from, and its name without the folders that lead to it there. */
function nameOf(path) {
  const [folder = "", name = ""] = path.split("/").slice(-2);
  return `${folder.split("+").at(-1)}: ${name.replace(/\.\w+$/, "").replace(/^.*(?:samples|calendars|data|fixtures|events|assets|static)_/i, "")}`;
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  process.stdout.write(`\n${line(heads)}|${"---|".repeat(heads.length)}\n${rows.map(line).join("")}`);
}
