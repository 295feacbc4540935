/** So many occurrences of an event are compared. */
const MOST = 100;
const MOST_SHOWN = 3;

/**
 * Compares what the readers found in one file, event by event. The first reader is Almanac. Events without a UID are compared together.
 * @param {{events?: {uid: string, spans?: string[][], error?: string}[], error?: string, longest?: number, memory?: number, ms?: number}[]} answers
 * @param {string[]} names
 */
export function compare(answers, names) {
  const [own] = answers;
  const found = answers.map(({ error, events = [] }, i) => ({
    byUid: grouped(events),
    isUnread: i > 0 && error != null,
  }));
  const uids = new Set(found.flatMap(({ byUid }) => [...byUid.keys()]));
  const events = [...uids].map((uid) => compareEvent(uid, found, names));
  const { error, longest = 0, memory = 0, ms = 0 } = own;
  return { error, longest, memory, ms, events, errors: answers.map((answer) => answer.error ?? null) };
}

/** The events of each UID: one, unless they have none. */
function grouped(events) {
  const byUid = new Map();
  for (const one of events) byUid.set(one.uid.trim(), [...(byUid.get(one.uid.trim()) ?? []), one]);
  return byUid;
}

function compareEvent(uid, found, names) {
  const texts = found.map(({ byUid, isUnread }) => (isUnread ? null : textOf(byUid.get(uid) ?? [])));
  const [own, ...others] = texts;
  const equal = names.slice(1).filter((_, i) => others[i] === own);
  const agreed = others.filter((text, i) => text !== null && text !== own && others.indexOf(text) !== i);
  const against = agreed.length > 0 ? names.slice(1).filter((_, i) => others[i] === agreed[0]) : [];
  const other = agreed[0] ?? others.find((text) => text !== own && text !== null);
  return {
    uid,
    equal,
    isNothing: texts.every((text) => !text),
    /** The readers that agree with each other and not with Almanac. */
    against,
    difference: equal.length === names.length - 1 ? null : differenceOf(spansIn(own), spansIn(other)),
    ...(equal.length < 2 && { ...differing(own, other), unread: names.slice(1).filter((_, i) => others[i] === null) }),
  };
}

/** An event that is not read and one that has no occurrence are the same. */
function textOf(events) {
  if (events.some(({ error }) => error)) return null;
  return events
    .flatMap(({ spans = [] }) => spans.map((span) => span.join("/")))
    .sort()
    .slice(0, MOST)
    .join(" ");
}

function spansIn(text) {
  return text ? text.split(" ").map((span) => span.split("/")) : text === "" ? [] : null;
}

/** What only Almanac finds, and what only the others find. */
function differing(own, other) {
  const [mine, theirs] = [own, other].map((text) => (text ?? "").split(" ").filter((span) => span !== ""));
  return {
    added: mine.filter((span) => !theirs.includes(span)).slice(0, MOST_SHOWN),
    missing: theirs.filter((span) => !mine.includes(span)).slice(0, MOST_SHOWN),
  };
}

function differenceOf(own, other) {
  if (other === null) return "no other reader can read it";
  const spans = own ?? [];
  if (spans.length === 0) return "Almanac finds nothing";
  if (other.length === 0) return "only Almanac finds it";
  const starts = new Set(other.map(([start]) => start));
  const missing = other.filter(([start]) => !spans.some((span) => span[0] === start)).length;
  const added = spans.filter(([start]) => !starts.has(start)).length;
  if (spans[0][0].length !== other[0][0].length) return "a whole day or not";
  if (missing === 0 && added === 0) return spans.length === other.length ? "another end" : "an occurrence twice";
  if (added === 0) return "fewer occurrences";
  if (missing === 0) return "more occurrences";
  return "other starts";
}
