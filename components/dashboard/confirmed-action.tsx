"use client";

import { type ReactNode, useRef, useState } from "react";
import { useAction } from "@/components/dashboard/use-action";
import { useLastingFocus } from "@/components/dashboard/use-lasting-focus";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Confirm } from "@/components/ui/dialog";

interface ConfirmedActionProps {
  label: string;
  /** The button's name if the same label appears in several lines. */
  name?: string;
  look?: ButtonLook;
  title: string;
  /** What will happen, and what can't be undone. */
  text: ReactNode;
  verb: string;
  /** It removes something. */
  isDanger?: boolean;
  announcement: string;
  work(): Promise<unknown>;
}

/** Shows a button that asks for confirmation. */
export function ConfirmedAction(props: ConfirmedActionProps) {
  const { label, name, look, title, text, verb, isDanger = look === "danger", announcement, work } = props;
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const button = useRef<HTMLButtonElement>(null);
  const keepFocus = useLastingFocus();
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  const confirm = async () => {
    if (!(await action.run(work, announcement))) return;
    keepFocus(button.current);
    setOpen(false);
  };
  return (
    <>
      <Button ref={button} look={look} aria-label={name} onClick={() => change(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isOpen}
        onOpenChange={change}
        title={title}
        text={text}
        verb={verb}
        isDanger={isDanger}
        isBusy={action.isBusy}
        fault={action.fault}
        onConfirm={confirm}
      />
    </>
  );
}
