import { RESULTS_ID, SEARCH_ID } from "@/components/docs/client/places";
import { KeyHint } from "@/components/ui/key-hint";

/** Searches the documentation (client/search.ts). */
export function SearchField() {
  return (
    <search className="relative block">
      <input
        id={SEARCH_ID}
        type="text"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded="false"
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Search"
        className="h-8 w-full rounded-md border border-edge bg-raised pr-9 pl-2.5 text-13 placeholder:text-faint max-lg:h-9 max-sm:text-16"
      />
      <span className="pointer-events-none absolute top-1.5 right-1.5 max-lg:hidden" aria-hidden>
        <KeyHint>/</KeyHint>
      </span>
      <div
        id={RESULTS_ID}
        hidden
        className="fade-in absolute top-full left-0 z-30 mt-1 w-120 max-w-[calc(100vw-32px)] overflow-hidden rounded-md border bg-raised p-1 shadow-float max-lg:fixed max-lg:inset-x-4 max-lg:top-13 max-lg:ml-auto"
      />
    </search>
  );
}
