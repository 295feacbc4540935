const steps: Partial<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Of the panels of a list of tabs, the chosen one is shown. */
export function switchTabs(): void {
  for (const list of document.querySelectorAll<HTMLElement>("[role=tablist]")) {
    const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
    const choose = (chosen: HTMLElement) => {
      for (const tab of tabs) {
        tab.setAttribute("aria-selected", String(tab === chosen));
        tab.tabIndex = tab === chosen ? 0 : -1;
        document
          .getElementById(tab.getAttribute("aria-controls") ?? "")
          ?.toggleAttribute("data-chosen", tab === chosen);
      }
    };
    for (const [index, tab] of tabs.entries()) {
      tab.addEventListener("click", () => choose(tab));
      tab.addEventListener("keydown", (event) => {
        const next = tabs.at((index + (steps[event.key] ?? 0)) % tabs.length);
        if (steps[event.key] === undefined || !next) return;
        event.preventDefault();
        choose(next);
        next.focus();
      });
    }
  }
}
