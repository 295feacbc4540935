"use client";

import { type ReactNode, useState } from "react";
import { useAction } from "@/components/dashboard/use-action";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Confirm } from "@/components/ui/dialog";

interface ConfirmedActionProps {
  label: string;
  /** The button's name, where its label stands in several lines. */
  name?: string;
  look?: ButtonLook;
  title: string;
  /** What will happen, and what it cannot take back. */
  text: ReactNode;
  verb: string;
  /** It takes something away. */
  isDanger?: boolean;
  announcement: string;
  work(): Promise<unknown>;
}

/** A button that asks first. */
export function ConfirmedAction(props: ConfirmedActionProps) {
  const { label, name, look, title, text, verb, isDanger = look === "danger", announcement, work } = props;
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  const confirm = async () => {
    if (await action.run(work, announcement)) setOpen(false);
  };
  return (
    <>
      <Button look={look} aria-label={name} onClick={() => change(true)}>
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
