"use client";

import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { shareNonce } from "@/components/ui/nonce";

shareNonce();

interface DialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, the main one last. */
  actions?: ReactNode;
}

/** Shows a question or a form above the page. Escape closes it, and the focus goes back. */
export function Dialog({ isOpen, onOpenChange, title, description, children, actions }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-40 bg-veil" />
        <Radix.Content className="fade-in fixed top-[12vh] left-1/2 z-50 grid max-h-[76vh] w-[calc(100vw-32px)] max-w-120 -translate-x-1/2 gap-4 overflow-auto rounded-md border bg-raised p-5 shadow-float">
          <div className="grid gap-1">
            <Radix.Title className="text-16 font-medium">{title}</Radix.Title>
            <Radix.Description className="text-13 text-faint">{description}</Radix.Description>
          </div>
          {children}
          {actions && <div className="flex flex-wrap justify-end gap-2">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  /** What will happen, and what can't be undone. */
  text: ReactNode;
  /** The verb on the button. */
  verb: string;
  isDanger?: boolean;
  isBusy?: boolean;
  fault?: ReactNode;
  onConfirm(): void;
}

/** Asks for confirmation, with the consequence in words. */
export function Confirm(props: ConfirmProps) {
  const { isOpen, onOpenChange, title, text, verb, isDanger = false, isBusy = false, fault, onConfirm } = props;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={title}
      description={text}
      actions={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button look={isDanger ? "danger" : "primary"} disabled={isBusy} onClick={onConfirm}>
            {isBusy ? "Working…" : verb}
          </Button>
        </>
      }
    >
      <Fault>{fault}</Fault>
    </Dialog>
  );
}
