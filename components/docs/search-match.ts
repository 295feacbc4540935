import type { SearchResult } from "@/components/docs/search-index";

const MOST = 8;

/** What holds every typed word, the best first: in the title before elsewhere, at a word's beginning before within one. */
export function matches(index: readonly SearchResult[], typed: string): SearchResult[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return index
    .map((found) => ({ found, points: words.map((word) => pointsOf(found, word)) }))
    .filter(({ points }) => points.every((each) => each > 0))
    .sort((a, b) => sum(b.points) - sum(a.points))
    .slice(0, MOST)
    .map(({ found }) => found);
}

function pointsOf({ title, where, words }: SearchResult, word: string): number {
  const name = title.toLowerCase();
  if (name === word) return 12;
  if (name.startsWith(word)) return 8;
  if (beginsIn(name, word)) return 6;
  if (beginsIn(where.toLowerCase(), word)) return 4;
  if (name.includes(word)) return 3;
  if (beginsIn(words.toLowerCase(), word)) return 2;
  return words.toLowerCase().includes(word) || where.toLowerCase().includes(word) ? 1 : 0;
}

function beginsIn(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || (at > 0 && /[^a-z0-9]/.test(text.charAt(at - 1)));
}

function sum(points: readonly number[]): number {
  return points.reduce((all, each) => all + each, 0);
}
