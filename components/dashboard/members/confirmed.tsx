"use client";

import { useState } from "react";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/dialog";

interface ConfirmedProps {
  verb: string;
  /** The button's name, where its verb stands in several lines. */
  label: string;
  title: string;
  text: string;
  announcement: string;
  work(): Promise<unknown>;
}

/** A quiet button that takes something away, after a question. */
export function Confirmed({ verb, label, title, text, announcement, work }: ConfirmedProps) {
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
      <Button look="quiet" aria-label={label} onClick={() => change(true)}>
        {verb}
      </Button>
      <Confirm
        isOpen={isOpen}
        onOpenChange={change}
        title={title}
        text={text}
        verb={verb}
        isDanger
        isBusy={action.isBusy}
        fault={action.fault}
        onConfirm={confirm}
      />
    </>
  );
}
