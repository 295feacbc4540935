"use client";

import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { tooltipPlace } from "@/components/ui/tooltip";

const itemLook =
  "flex h-8 max-sm:h-10 items-center justify-between gap-6 rounded-sm px-2 text-13 outline-none data-highlighted:bg-picked";

interface MenuProps {
  /** A single button. */
  trigger: ReactNode;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
  children: ReactNode;
}

/** Shows a small list of actions. Not modal: the page stays usable. */
export function Menu({ trigger, align = "start", side, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
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

export function MenuItem({ onSelect, hint, children }: { onSelect(): void; hint?: ReactNode; children: ReactNode }) {
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

interface ChoiceProps {
  value: string;
  onChange(value: string): void;
  options: readonly { value: string; label: string }[];
}

/** Shows options, the chosen one with a tick. */
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
