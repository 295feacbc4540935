"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { SearchResult } from "@/components/docs/search-index";
import { matches } from "@/components/docs/search-match";
import { classes } from "@/components/ui/classes";
import { KeyHint } from "@/components/ui/key-hint";

/** Finds a place in the documentation, by an index that is fetched from here when the field is first used. */
export function Search() {
  const router = useRouter();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const [index, setIndex] = useState<readonly SearchResult[] | "missing" | null>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const found = Array.isArray(index) ? matches(index, typed) : [];
  const chosen = Math.min(at, found.length - 1);
  const isListening = useSlash(field);

  const load = () => {
    if (index !== null && index !== "missing") return;
    fetch("/docs/search.json")
      .then(async (response) => setIndex(response.ok ? await response.json() : "missing"))
      .catch(() => setIndex("missing"));
  };
  const go = (path: string | undefined) => {
    if (!path) return;
    setOpen(false);
    setTyped("");
    field.current?.blur();
    router.push(path);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") go(found[chosen]?.path);
    if (event.key === "Escape") {
      setTyped("");
      field.current?.blur();
    }
    if (!step || found.length === 0) return;
    event.preventDefault();
    setAt((chosen + step + found.length) % found.length);
  };
  const isShown = isOpen && typed.trim() !== "";
  return (
    <search className="relative block">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={isShown && found.length > 0}
        aria-controls={isShown && found.length > 0 ? list : undefined}
        aria-activedescendant={isShown && found.length > 0 ? `${list}-${chosen}` : undefined}
        aria-autocomplete="list"
        aria-keyshortcuts={isListening ? "/" : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search"
        value={typed}
        onFocus={() => {
          load();
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className="h-8 w-full rounded-md border border-edge bg-raised pr-9 pl-2.5 text-13 placeholder:text-faint max-lg:h-9 max-sm:text-16"
      />
      <span className="pointer-events-none absolute top-1.5 right-1.5 max-lg:hidden" aria-hidden>
        <KeyHint>/</KeyHint>
      </span>
      {isShown && (
        <div className="fade-in absolute top-full left-0 z-30 mt-1 w-110 max-w-[calc(100vw-32px)] overflow-hidden rounded-md border bg-raised p-1 shadow-float max-lg:fixed max-lg:inset-x-4 max-lg:top-13 max-lg:ml-auto">
          {found.length === 0 ? (
            <p role="status" className="px-3 py-2 text-13 text-faint">
              {emptyWords(index, typed)}
            </p>
          ) : (
            <div id={list} role="listbox" aria-label="Search results">
              {found.map(({ title, where, path }, nth) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's above.
                <div
                  key={path}
                  id={`${list}-${nth}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={nth === chosen}
                  // The field must not lose the focus before the click arrives.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => go(path)}
                  onPointerMove={() => setAt(nth)}
                  className={classes("cursor-pointer rounded-sm px-3 py-1.5", nth === chosen && "bg-picked")}
                >
                  <div className="truncate text-13">{title}</div>
                  <div className="truncate text-12 text-faint">{where}</div>
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </search>
  );
}

function emptyWords(index: readonly SearchResult[] | "missing" | null, typed: string): string {
  if (index === null) return "Searching…";
  if (index === "missing") return "Search isn't available right now. Try again in a moment.";
  return `No results for “${typed.trim()}”. Try a field, an error key or a path.`;
}

/** `/` goes to the field from anywhere but another field; true once it does, which is when the page's scripts run. */
function useSlash(field: React.RefObject<HTMLInputElement | null>): boolean {
  const [isListening, setListening] = useState(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", press);
    setListening(true);
    return () => document.removeEventListener("keydown", press);
  }, [field]);
  return isListening;
}
