import MiniSearch, { type Query } from "minisearch";
import type { SearchResult } from "@/components/docs/search-index";
import { synonymsOf } from "@/components/docs/search-words";

const MOST = 8;
/** A synonym counts less than the word itself, wherever either appears. */
const boostOfOthers = 0.5;

export interface Match extends SearchResult {
  /** The line that matched. Empty if its title did. */
  line: string;
  /** The text to mark in it, in lower case. */
  marked: readonly string[];
}

const searches = new WeakMap<readonly SearchResult[], MiniSearch>();

/** Finds what contains every typed word, or a synonym. */
export function matches(index: readonly SearchResult[], typed: string): Match[] {
  const words = namesOf(typed);
  if (words.length === 0) return [];
  const queries = words.map((word): Query => ({ combineWith: "OR", queries: [word, ...synonymsOf(word).map(other)] }));
  const found = searchOf(index).search({ combineWith: "AND", queries });
  return found.slice(0, MOST).flatMap(({ id, terms }) => {
    const result = index[id];
    return result ? withLine(result, words, terms) : [];
  });
}

function other(phrase: string): Query {
  const boost = { title: 4 * boostOfOthers, where: 2 * boostOfOthers, text: boostOfOthers };
  return { combineWith: "AND", fuzzy: false, boost, queries: [phrase] };
}

function searchOf(index: readonly SearchResult[]): MiniSearch {
  const known = searches.get(index);
  if (known) return known;
  const search = new MiniSearch({
    fields: ["title", "where", "text"],
    tokenize: beginningsIn,
    searchOptions: {
      tokenize: namesOf,
      boost: { title: 4, where: 2 },
      prefix: true,
      fuzzy: (term) => (/^[a-z]{6,}$/.test(term) ? 0.2 : false),
    },
  });
  search.addAll(index.map(({ title, where, lines }, id) => ({ id, title, where, text: lines.join("\n") })));
  searches.set(index, search);
  return search;
}

/** Splits a text into words, and names in one piece: `pages.next_page`, `svc-signature`. */
function namesOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[._/-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Lists the endings of a name from each of its words on, which also find it: `next_page`, `page`. */
function beginningsIn(text: string): string[] {
  return namesOf(text).flatMap((name) =>
    [...name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => name.slice(index)),
  );
}

/** Adds the line with most of the words, preferring the words themselves to synonyms. */
function withLine(found: SearchResult, words: readonly string[], terms: readonly string[]): Match {
  const text = [found.title, ...found.lines].join("\n").toLowerCase();
  const meant = words.flatMap((word) => (text.includes(word) ? [word] : synonymsOf(word)));
  const known = meant.filter((term) => text.includes(term));
  const marked = known.length > 0 ? known : terms;
  const scored = found.lines.map((line) => {
    const lower = line.toLowerCase();
    const has = marked.filter((term) => lower.includes(term));
    return { line, points: has.length + 2 * has.filter((term) => words.includes(term)).length };
  });
  const best = scored.reduce((a, b) => (b.points > a.points ? b : a), { line: "", points: 0 });
  return { ...found, line: best.line, marked };
}
