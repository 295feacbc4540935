import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

interface ShownOnceProps {
  isOpen: boolean;
  title: string;
  description: string;
  /** The secrets (`SecretOnce`). */
  children: ReactNode;
  /** The button's label for those who saved them: a stray click or Escape must not lose them. */
  done: string;
  onDone(): void;
}

/** Shows secrets above the page until somebody confirms that they saved them. */
export function ShownOnce({ isOpen, title, description, children, done, onDone }: ShownOnceProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={() => undefined}
      title={title}
      description={description}
      actions={
        <Button look="primary" onClick={onDone}>
          {done}
        </Button>
      }
    >
      {children}
    </Dialog>
  );
}
