/** An action that a button or a link of the page offers. */
export interface PageAction {
  label: string;
  run(): void;
}

/** What the page marks as an action: the buttons and links of its head and of the panel, and what names one itself. */
const OFFERED = "[data-actions] :is(button:not(:disabled), a[href]:not(nav a)), [data-action]:not(:disabled)";

/**
 * Lists the actions that the page currently offers: those of the open panel, then those of the page. The element does
 * the work, so that an action is only there if the operator's role may use it.
 */
export function actionsOfPage(): PageAction[] {
  const offered = [...document.querySelectorAll<HTMLElement>(OFFERED)];
  const inPanel = (element: HTMLElement) => element.closest("aside") !== null;
  const inOrder = [...offered.filter(inPanel), ...offered.filter((element) => !inPanel(element))];
  const actions = new Map<string, PageAction>();
  for (const element of inOrder) {
    const label = (element.dataset.action ?? element.textContent ?? "").replace(/…$/, "");
    if (actions.has(label)) continue;
    const run = () => {
      element.focus();
      element.click();
    };
    actions.set(label, { label, run });
  }
  return [...actions.values()];
}
