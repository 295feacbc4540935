"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { narrowed } from "@/components/dashboard/address/paths";

const NAME = "new";

/** Builds the address of a page with one of its dialogs open, named after what it creates. */
export function dialogPath(path: string, name: "application" | "developer"): string {
  return narrowed(path, NAME, name);
}

/**
 * Tracks whether a dialog is open: a button opened it, or the address names it, as after a link or a reload. Closing it
 * removes the name from the address without an entry in the history, so going back does not open it again.
 */
export function useNamedDialog(name: "application" | "developer"): [boolean, (toOpen: boolean) => void] {
  const [isOpened, setOpened] = useState(false);
  const path = usePathname();
  const query = useSearchParams();
  const isNamed = query.get(NAME) === name;
  const setOpen = (toOpen: boolean) => {
    setOpened(toOpen);
    if (toOpen || !isNamed) return;
    const rest = new URLSearchParams(query);
    rest.delete(NAME);
    window.history.replaceState(null, "", rest.size > 0 ? `${path}?${rest}` : path);
  };
  return [isOpened || isNamed, setOpen];
}
