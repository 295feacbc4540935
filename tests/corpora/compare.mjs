/** So many occurrences of an event are compared. */
const MOST = 100;

/**
 * Compares what the readers found in one file, event by event. The first reader is Almanac.
 * @param {{events?: {uid: string, spans?: string[][], error?: string}[], error?: string, longest?: number, memory?: number, ms?: number}[]} answers
 * @param {string[]} names
 */
export function compare(answers, names) {
  const [own] = answers;
  const found = answers.map(({ events = [] }) => new Map(events.map((event) => [event.uid.trim(), event])));
  const uids = new Set(found.flatMap((events) => [...events.keys()]));
  const events = [...uids].map((uid) => compareEvent(uid, found, names));
  const { error, longest = 0, memory = 0, ms = 0 } = own;
  return { error, longest, memory, ms, events, errors: answers.map((answer) => answer.error ?? null) };
}

function compareEvent(uid, found, names) {
  const texts = found.map((events) => textOf(events.get(uid)));
  const [own, ...others] = texts;
  const equal = names.slice(1).filter((_, i) => others[i] === own);
  const agreed = others.filter((text, i) => text !== null && text !== own && others.indexOf(text) !== i);
  const against = agreed.length > 0 ? names.slice(1).filter((_, i) => others[i] === agreed[0]) : [];
  return {
    uid,
    equal,
    /** The readers that agree with each other and not with Almanac. */
    against,
    reason:
      equal.length === names.length - 1
        ? null
        : reasonOf(found[0].get(uid), spansIn(agreed[0] ?? others.find((text) => text !== own))),
    ...(equal.length < 2 && {
      texts: Object.fromEntries(
        names.map((name, i) => [name, texts[i]?.slice(0, 300) ?? found[i].get(uid)?.error ?? null]),
      ),
    }),
  };
}

/** An event that is not read and one that has no occurrence are the same. */
function textOf(event) {
  if (!event || event.error) return event?.error ? null : "";
  return event.spans
    .slice(0, MOST)
    .map((span) => span.join("/"))
    .join(" ");
}

function spansIn(text) {
  return text ? text.split(" ").map((span) => span.split("/")) : text === "" ? [] : null;
}

function reasonOf(own, other) {
  if (other === null) return "no other reader can read it";
  const spans = own?.spans?.slice(0, MOST) ?? [];
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
