"use client";

import { type FormEvent, type ReactNode, useId } from "react";
import type { FormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";

interface FormDialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  description: string;
  /** The fields. Server errors that belong to none of them are shown below. */
  children: ReactNode;
  action: FormAction;
  verb: string;
  /** The verb while it works. */
  working: string;
  isDanger?: boolean;
  onSubmit(form: FormData): unknown;
}

/** Shows a form above the page, and forgets errors when it is opened and closed. */
export function FormDialog(props: FormDialogProps) {
  const { isOpen, onOpenChange, title, description, children, action, verb, working, isDanger = false } = props;
  const form = useId();
  const change = (toOpen: boolean) => {
    action.reset();
    onOpenChange(toOpen);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    props.onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={change}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" form={form} look={isDanger ? "danger" : "primary"} disabled={action.isBusy}>
            {action.isBusy ? working : verb}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="grid gap-4">
        {children}
        <Fault>{action.otherFault}</Fault>
      </form>
    </Dialog>
  );
}
