"use client";

import { lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";
import { LazyTrigger, type TriggerProps } from "@/components/ui/lazy-trigger";

// What floats is a sixth of a page's scripts, and most pages are left before anything of it is opened.
const parts = () => import("@/components/ui/menu-parts");
const OpenedMenu = lazy(() => parts().then(({ OpenedMenu: of }) => ({ default: of })));

export interface MenuProps {
  /** A single button. */
  trigger: ReactElement<TriggerProps>;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
  children: ReactNode;
}

/** Shows a small list of actions. Not modal: the page stays usable. */
export function Menu(props: MenuProps) {
  const [wasOpened, setOpened] = useState(false);
  const closed = <LazyTrigger trigger={props.trigger} kind="menu" load={parts} onOpen={() => setOpened(true)} />;
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedMenu {...props} />
    </Suspense>
  );
}

export interface ItemProps {
  onSelect(): void;
  hint?: ReactNode;
  children: ReactNode;
}

export const MenuItem = lazy(() => parts().then(({ MenuItem: of }) => ({ default: of })));
export const MenuLabel = lazy(() => parts().then(({ MenuLabel: of }) => ({ default: of })));
export const MenuLine = lazy(() => parts().then(({ MenuLine: of }) => ({ default: of })));

export interface ChoiceProps {
  value: string;
  onChange(value: string): void;
  options: readonly { value: string; label: string }[];
}

/** Shows options, the chosen one with a tick. */
export const MenuChoice = lazy(() => parts().then(({ MenuChoice: of }) => ({ default: of })));
