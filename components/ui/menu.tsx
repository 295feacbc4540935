"use client";

import { lazy, Suspense, useState } from "react";
import { LazyTrigger } from "@/components/ui/lazy-trigger";
import type { MenuProps } from "@/components/ui/menu-props";

// What floats is a sixth of a page's scripts, and most pages are left before anything of it is opened.
const parts = () => import("@/components/ui/menu-parts");
const OpenedMenu = lazy(() => parts().then(({ OpenedMenu: of }) => ({ default: of })));

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

export const MenuItem = lazy(() => parts().then(({ MenuItem: of }) => ({ default: of })));
export const MenuLabel = lazy(() => parts().then(({ MenuLabel: of }) => ({ default: of })));
export const MenuLine = lazy(() => parts().then(({ MenuLine: of }) => ({ default: of })));

/** Shows options, the chosen one with a tick. */
export const MenuChoice = lazy(() => parts().then(({ MenuChoice: of }) => ({ default: of })));
