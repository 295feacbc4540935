"use client";

import { useEffect, useState } from "react";
import { announce } from "@/components/ui/announce";
import { classes } from "@/components/ui/classes";
import { copy } from "@/components/ui/copy";
import { shortened } from "@/components/ui/shortened";

const TOLD_MS = 1_200;

interface IdProps {
  id: string;
  /** Whether to show all of it, not shortened in the middle. */
  isWhole?: boolean;
  /** In a table with many, the Tab key stops at the row instead. */
  isInRow?: boolean;
  /** What the palette calls copying it, if it offers that for what is open: "Copy delivery ID". */
  action?: string;
}

/** Shows an id in mono, shortened in the middle, and copies it on click. */
export function Id({ id, isWhole = false, isInRow = false, action }: IdProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const press = async () => {
    const isDone = await copy(id);
    setCopied(isDone);
    announce(isDone ? `Copied ${id}` : "The browser blocked copying");
  };
  const text = isWhole ? id : shortened(id);
  return (
    <button
      type="button"
      onClick={press}
      data-action={action}
      tabIndex={isInRow ? -1 : undefined}
      title={`${id}\nClick to copy`}
      aria-label={`Copy ${id}`}
      className={classes(
        "relative z-1 rounded-sm text-left align-baseline font-mono text-12 leading-5 hover:text-accent",
        isWhole && "wrap-anywhere",
        isInRow && "-my-1 py-1",
      )}
    >
      <span className={isCopied ? "opacity-0" : undefined}>{text}</span>
      {isCopied && <span className="absolute inset-0 text-accent">Copied</span>}
    </button>
  );
}
