"use client";

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { classes } from "@/components/ui/classes";

interface TabsProps {
  name: string;
  tabs: readonly { title: string; body: ReactNode }[];
}

const steps: Partial<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** One of several panels; all of them are in the page, and on paper all are printed. */
export function Tabs({ name, tabs }: TabsProps) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen + step + tabs.length) % tabs.length;
    setChosen(next);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={name}
        className="mb-2 flex gap-4 overflow-x-auto overflow-y-hidden border-b scrollbar-none print:hidden"
      >
        {tabs.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}tab${index}`}
            aria-controls={`${id}panel${index}`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
            onKeyDown={press}
            className={classes(
              "h-9 shrink-0 border-b-2 px-0.5 text-13 transition-colors focus-visible:-outline-offset-2",
              index === chosen
                ? "border-b-accent font-medium text-ink"
                : "border-b-transparent text-faint hover:text-ink",
            )}
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ title, body }, index) => (
        <div
          key={title}
          role="tabpanel"
          id={`${id}panel${index}`}
          aria-labelledby={`${id}tab${index}`}
          className={classes(index !== chosen && "hidden print:block")}
        >
          {body}
        </div>
      ))}
    </div>
  );
}
