"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { KeyHint } from "@/components/ui/key-hint";

/** Dispatched on the document to show the keyboard shortcuts. */
export const SHOW_KEYS = "almanac:show-keys";

const keys: [string[], string][] = [
  [["j", "k"], "Next row, previous row"],
  [["↵"], "Open row"],
  [["Esc"], "Close panel"],
  [["/"], "Search"],
  [["⌘K"], "Search and actions (Ctrl+K)"],
  [["n", "p"], "Older page, newer page"],
  [["?"], "Show shortcuts"],
];

/** Handles the keyboard shortcuts of every page. */
export function KeyboardRows() {
  const router = useRouter();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const action = actions[event.key];
      if (event.key === "?") setShown(true);
      else if (!action?.((href) => router.replace(href, { scroll: false }))) return;
      event.preventDefault();
    };
    const show = () => setShown(true);
    document.addEventListener("keydown", press);
    document.addEventListener(SHOW_KEYS, show);
    return () => {
      document.removeEventListener("keydown", press);
      document.removeEventListener(SHOW_KEYS, show);
    };
  }, [router]);
  return (
    <Dialog
      isOpen={isShown}
      onOpenChange={setShown}
      title="Keyboard shortcuts"
      description="Available when you’re not typing in a field."
    >
      <dl className="grid gap-1">
        {keys.map(([names, meaning]) => (
          <div key={meaning} className="flex h-8 items-center justify-between border-t text-13">
            <dt>{meaning}</dt>
            <dd className="flex gap-1">
              {names.map((name) => (
                <KeyHint key={name}>{name}</KeyHint>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

type Go = (href: string) => void;

const actions: Record<string, (go: Go) => boolean> = {
  j: (go) => step(1, go),
  k: (go) => step(-1, go),
  n: () => click("[data-older]"),
  p: () => click("[data-newer]"),
  "/": () => focus(document.querySelector<HTMLElement>("[data-search]")),
};

/** Moves to the next row from the one that has the focus or the open panel. An open panel follows. */
function step(by: number, go: Go): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const open = rows.findIndex((row) => row.ariaCurrent === "true");
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const from = open >= 0 ? open : focused;
  const next = rows[from < 0 && by < 0 ? rows.length - 1 : from + by];
  const link = next?.querySelector("a");
  if (!next || !link) return rows.length > 0;
  next.scrollIntoView({ block: "nearest" });
  if (open < 0) return focus(link);
  go(link.getAttribute("href") ?? "");
  return true;
}

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return element !== null && element !== undefined;
}

function click(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.click();
  return element !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input,select,textarea,[role=menu],[role=dialog]") !== null)
  );
}
