import { LANGUAGE_KEY } from "@/components/docs/client/places";

const steps: Partial<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Shows code in the language that was last chosen, in every block that has it, on every page (docs.css). */
export function switchLanguages(): void {
  const { dataset } = document.documentElement;
  mark(dataset.language);
  document.addEventListener("click", (event) => {
    const tab = tabOf(event);
    if (tab) choose(tab);
  });
  document.addEventListener("keydown", (event) => {
    const tab = tabOf(event);
    const step = steps[event.key];
    if (!tab || step === undefined) return;
    event.preventDefault();
    const tabs = tabsOf(tab.closest(".code"));
    const next = tabs.at((tabs.indexOf(tab) + step) % tabs.length);
    if (next) choose(next);
    next?.focus();
  });
  // Another window's choice, or this one's after the page was left.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === LANGUAGE_KEY && newValue) show(newValue);
  });
  addEventListener("pageshow", () => {
    const kept = localStorage.getItem(LANGUAGE_KEY);
    if (kept && kept !== dataset.language) show(kept);
  });
}

function choose(tab: HTMLElement): void {
  const { top } = tab.getBoundingClientRect();
  const language = tab.dataset.code ?? "";
  localStorage.setItem(LANGUAGE_KEY, language);
  show(language);
  // Blocks above now have other heights. The pressed tab stays where it is.
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" });
}

function show(language: string): void {
  document.documentElement.dataset.language = language;
  mark(language);
}

/** Marks the chosen tab. The style sheet decides what is shown. */
function mark(language: string | undefined): void {
  for (const block of document.querySelectorAll(".code")) {
    const tabs = tabsOf(block);
    const chosen = tabs.find((tab) => tab.dataset.code === language) ?? tabs[0];
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
  }
}

function tabsOf(block: Element | null | undefined): HTMLElement[] {
  return [...(block?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
}

function tabOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".code [role=tab]") : null;
}
