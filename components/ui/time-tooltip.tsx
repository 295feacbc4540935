"use client";

import { Tooltip } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { tooltipLook, tooltipPlace } from "@/components/ui/tooltip";

interface TimeTooltipProps {
  content: ReactNode;
  onClose(): void;
  children: ReactElement;
}

/** Shows a tooltip that is open until the pointer leaves. */
export default function TimeTooltip({ content, onClose, children }: TimeTooltipProps) {
  return (
    <Tooltip.Provider>
      <Tooltip.Root defaultOpen onOpenChange={(isOpen) => isOpen || onClose()}>
        <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
        <Tooltip.Portal container={tooltipPlace()}>
          <Tooltip.Content
            className={tooltipLook}
            sideOffset={4}
            collisionPadding={8}
            // A click closes it. Earlier, it would take away what the click is for.
            onPointerDownOutside={(event) => event.preventDefault()}
          >
            {content}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
