import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

interface ShownOnceProps {
  isOpen: boolean;
  title: string;
  description: string;
  /** The secrets (`SecretOnce`). */
  children: ReactNode;
  /** What somebody says who has them: a slip of the mouse or Escape must not lose them. */
  done: string;
  onDone(): void;
}

/** Secrets above the page, until somebody says that they have them. */
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
