"use client";

import { lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";
import { LazyTrigger, type TriggerProps } from "@/components/ui/lazy-trigger";

const load = () => import("@/components/ui/opened-popover");
const OpenedPopover = lazy(load);

export interface PopoverProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** A single button. */
  trigger: ReactElement<TriggerProps>;
  /** Shown beside the button. */
  beside?: ReactNode;
  /** Its name for screen readers. */
  label: string;
  children: ReactNode;
}

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
