"use client";

import { type ComponentProps, cloneElement, type ReactElement } from "react";

export type TriggerProps = Pick<
  ComponentProps<"button">,
  "aria-haspopup" | "aria-expanded" | "onClick" | "onKeyDown" | "onPointerEnter" | "onFocus"
>;

interface LazyTriggerProps {
  trigger: ReactElement<TriggerProps>;
  kind: "menu" | "dialog";
  /** Loads what it opens, as soon as the pointer or the focus is on it. */
  load(): Promise<unknown>;
  onOpen(): void;
}

/** Shows the button of something whose scripts are loaded when they are needed. */
export function LazyTrigger({ trigger, kind, load, onOpen }: LazyTriggerProps) {
  const prepare = () => void load().catch(() => undefined); // A click tries again.
  return cloneElement(trigger, {
    "aria-haspopup": kind,
    "aria-expanded": false,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: onOpen,
    onKeyDown: (event) => {
      if (kind !== "menu" || event.key !== "ArrowDown") return;
      event.preventDefault();
      onOpen();
    },
  });
}
