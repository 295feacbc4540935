import type { ReactElement, ReactNode } from "react";
import type { TriggerProps } from "@/components/ui/lazy-trigger";

export interface MenuProps {
  /** A single button. */
  trigger: ReactElement<TriggerProps>;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
  children: ReactNode;
}

export interface ItemProps {
  onSelect(): void;
  hint?: ReactNode;
  children: ReactNode;
}

export interface ChoiceProps {
  value: string;
  onChange(value: string): void;
  options: readonly { value: string; label: string }[];
}

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
