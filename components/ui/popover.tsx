"use client";

import { lazy, Suspense, useState } from "react";
import { LazyTrigger } from "@/components/ui/lazy-trigger";
import type { PopoverProps } from "@/components/ui/menu-props";

const load = () => import("@/components/ui/opened-popover");
const OpenedPopover = lazy(load);

/** Shows a small form below its button. */
export function Popover(props: PopoverProps) {
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    props.onOpenChange(true);
  };
  const closed = (
    <span className="inline-flex shrink-0">
      <LazyTrigger trigger={props.trigger} kind="dialog" load={load} onOpen={open} />
      {props.beside}
    </span>
  );
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedPopover {...props} />
    </Suspense>
  );
}
