"use client";

import { type ReactNode, useState } from "react";
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
  const keepFocus = useLastingFocus();
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  const confirm = async () => {
    if (await action.run(work, announcement)) setOpen(false);
  };
  return (
    <>
      <Button
        look={look}
        aria-label={name}
        onClick={({ currentTarget }) => {
          keepFocus(currentTarget);
          change(true);
        }}
      >
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
