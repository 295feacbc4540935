import type { SearchResult } from "@/components/docs/search-index";
import { synonymsOf } from "@/components/docs/search-words";

const MOST = 8;

export interface Match extends SearchResult {
  /** The line that says why it was found; empty if its title does. */
  line: string;
  /** What to mark in it, in lower case. */
  marked: readonly string[];
}

/** What has every typed word or one that means the same: in the title before elsewhere, at a word's beginning before within one. */
export function matches(index: readonly SearchResult[], typed: string): Match[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean).map(meaningsOf);
  if (words.length === 0) return [];
  return index
    .map((found) => ({ found, points: words.map((word) => pointsOf(found, word)) }))
    .filter(({ points }) => points.every((each) => each > 0))
    .sort((a, b) => sum(b.points) - sum(a.points))
    .slice(0, MOST)
    .map(({ found }) => withLine(found, words));
}

interface Meanings {
  word: string;
  others: string[];
}

function meaningsOf(word: string): Meanings {
  return { word, others: synonymsOf(word) };
}

/** Another word for it counts less than the word itself, wherever either stands. */
function pointsOf(found: SearchResult, { word, others }: Meanings): number {
  const own = pointsOfTerm(found, word) * 4;
  return own > 0 ? own : Math.max(0, ...others.map((other) => pointsOfTerm(found, other)));
}

function pointsOfTerm({ title, where, lines }: SearchResult, term: string): number {
  const name = title.toLowerCase();
  if (name === term) return 12;
  if (name.startsWith(term)) return 8;
  if (beginsIn(name, term)) return 6;
  if (beginsIn(where.toLowerCase(), term)) return 4;
  if (name.includes(term)) return 3;
  const texts = lines.map((line) => line.toLowerCase());
  if (texts.some((line) => beginsIn(line, term))) return 2;
  return texts.some((line) => line.includes(term)) || where.toLowerCase().includes(term) ? 1 : 0;
}

/** With the line that has most of the words; the words themselves before others for them. */
function withLine(found: SearchResult, words: readonly Meanings[]): Match {
  const marked = words.flatMap(({ word, others }) => (hasTerm(found, word) ? [word] : others));
  const scored = found.lines.map((line) => {
    const text = line.toLowerCase();
    const has = words.map(({ word, others }) =>
      text.includes(word) ? 3 : others.some((each) => text.includes(each)) ? 1 : 0,
    );
    return { line, points: sum(has) };
  });
  const best = scored.reduce((a, b) => (b.points > a.points ? b : a), { line: "", points: 0 });
  return { ...found, line: best.line, marked };
}

function hasTerm({ title, lines }: SearchResult, term: string): boolean {
  return [title, ...lines].some((text) => text.toLowerCase().includes(term));
}

function beginsIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[^a-z0-9]/.test(text.charAt(at - 1))) return true;
  }
  return false;
}

function sum(points: readonly number[]): number {
  return points.reduce((all, each) => all + each, 0);
}
