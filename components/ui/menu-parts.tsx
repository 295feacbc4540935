"use client";

import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import type { ChoiceProps, ItemProps, MenuProps } from "@/components/ui/menu-props";
import { tooltipPlace } from "@/components/ui/tooltip";

const itemLook =
  "flex h-8 max-sm:h-10 items-center justify-between gap-6 rounded-sm px-2 text-13 outline-none data-highlighted:bg-picked";

/** Shows a menu that is open at first. */
export function OpenedMenu({ trigger, align = "start", side, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={tooltipPlace()}>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="fade-in z-50 min-w-48 rounded-md border bg-raised p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ onSelect, hint, children }: ItemProps) {
  return (
    <DropdownMenu.Item className={itemLook} onSelect={onSelect}>
      {children}
      {hint}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1.5 text-12 text-faint">{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-hairline" />;
}

export function MenuChoice({ value, onChange, options }: ChoiceProps) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={itemLook}>
          {option.label}
          <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
