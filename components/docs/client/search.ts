import { RESULTS_ID, SEARCH_ID } from "@/components/docs/client/places";
import type { SearchResult } from "@/components/docs/search-index";
import { type Match, matches } from "@/components/docs/search-match";

const LIST_ID = "search-list";
/** Characters shown before a marked word. */
const BEFORE = 40;
let index: readonly SearchResult[] | "missing" | "loading" | undefined;

/** Searches the index, which is loaded when the field is first used, and opens what is chosen. */
export function searchInPlace(): void {
  const field = document.getElementById(SEARCH_ID) as HTMLInputElement | null;
  const box = document.getElementById(RESULTS_ID);
  if (!field || !box) return;
  let found: readonly Match[] = [];
  let chosen = 0;

  const show = () => {
    const typed = field.value.trim();
    const isShown = typed !== "" && document.activeElement === field;
    found = isShown && Array.isArray(index) ? matches(index, typed) : [];
    chosen = Math.max(0, Math.min(chosen, found.length - 1));
    box.hidden = !isShown;
    if (isShown) box.replaceChildren(found.length > 0 ? list(found) : empty(typed));
    field.setAttribute("aria-expanded", String(found.length > 0));
    mark();
  };
  const mark = () => {
    for (const [nth, option] of [...box.querySelectorAll("[role=option]")].entries()) {
      option.setAttribute("aria-selected", String(nth === chosen));
    }
    const [name, value] = found.length > 0 ? [LIST_ID, `${LIST_ID}-${chosen}`] : ["", ""];
    for (const [attribute, to] of [
      ["aria-controls", name],
      ["aria-activedescendant", value],
    ] as const) {
      if (to) field.setAttribute(attribute, to);
      else field.removeAttribute(attribute);
    }
  };
  const go = (nth: number) => {
    const path = found[nth]?.path;
    if (!path) return;
    field.value = "";
    field.blur();
    location.assign(path);
  };
  const optionAt = ({ target }: Event) => {
    const option = target instanceof Element ? target.closest("[role=option]") : null;
    return option ? [...box.querySelectorAll("[role=option]")].indexOf(option) : -1;
  };

  field.addEventListener("focus", () => {
    load(show);
    show();
  });
  field.addEventListener("blur", show);
  field.addEventListener("input", () => {
    chosen = 0;
    show();
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") go(chosen);
    if (event.key === "Escape") {
      field.value = "";
      field.blur();
    }
    if (!step || found.length === 0) return;
    event.preventDefault();
    chosen = (chosen + step + found.length) % found.length;
    mark();
  });
  // The field must not lose the focus before the click arrives.
  box.addEventListener("pointerdown", (event) => event.preventDefault());
  box.addEventListener("click", (event) => go(optionAt(event)));
  box.addEventListener("pointermove", (event) => {
    const nth = optionAt(event);
    if (nth < 0 || nth === chosen) return;
    chosen = nth;
    mark();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (event.key !== "/" || isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  // Set only now that the page hears keys.
  field.setAttribute("aria-keyshortcuts", "/");
}

function load(then: () => void): void {
  if (index !== undefined && index !== "missing") return;
  index = "loading";
  fetch("/docs/search.json")
    .then(async (response) => {
      index = response.ok ? await response.json() : "missing";
    })
    .catch(() => {
      index = "missing";
    })
    .finally(then);
}

function list(found: readonly Match[]): HTMLElement {
  const all = element("div", "", found.map(option));
  all.id = LIST_ID;
  all.role = "listbox";
  all.ariaLabel = "Search results";
  return all;
}

function option({ title, where, line, marked }: Match, nth: number): HTMLElement {
  const one = element("div", "cursor-pointer rounded-sm px-3 py-1.5 aria-selected:bg-picked", [
    element("div", "flex items-baseline justify-between gap-3", [
      element("span", "truncate text-13", withMarks(title, marked)),
      element("span", "max-w-1/2 shrink-0 truncate text-12 text-faint", [where]),
    ]),
    ...(line ? [element("div", "line-clamp-2 text-12 text-faint", withMarks(excerpt(line, marked), marked))] : []),
  ]);
  one.id = `${LIST_ID}-${nth}`;
  one.role = "option";
  return one;
}

/** Cuts a long line to the part around the first marked word. */
function excerpt(line: string, marked: readonly string[]): string {
  const text = line.toLowerCase();
  const at = Math.min(...marked.map((term) => text.indexOf(term)).filter((each) => each >= 0));
  if (!(at > BEFORE)) return line;
  const start = line.indexOf(" ", at - BEFORE) + 1;
  return `…${line.slice(start)}`;
}

function withMarks(text: string, marked: readonly string[]): (Node | string)[] {
  const terms = marked.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (terms.length === 0) return [text];
  return text
    .split(new RegExp(`(${terms.join("|")})`, "gi"))
    .map((part, index) => (index % 2 === 1 ? element("mark", "bg-transparent font-medium text-ink", [part]) : part));
}

function empty(typed: string): HTMLElement {
  const words = element("p", "px-3 py-2 text-13 text-faint", [emptyWords(typed)]);
  words.role = "status";
  return words;
}

function emptyWords(typed: string): string {
  if (index === "missing") return "Search isn't available right now. Try again in a moment.";
  if (!Array.isArray(index)) return "Searching…";
  return `No results for “${typed}”. Try a field, an error key or a path.`;
}

function element(name: string, className: string, children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}
