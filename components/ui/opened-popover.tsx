"use client";

import { Popover } from "radix-ui";
import type { PopoverProps } from "@/components/ui/menu-props";

/** Shows a popover that has been opened. */
export default function OpenedPopover({ isOpen, onOpenChange, trigger, beside, label, children }: PopoverProps) {
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <span className="inline-flex shrink-0">
        <Popover.Trigger asChild>{trigger}</Popover.Trigger>
        {beside}
      </span>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          className="fade-in z-50 w-72 rounded-md border bg-raised p-3 shadow-float"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
