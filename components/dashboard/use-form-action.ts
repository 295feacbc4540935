"use client";

import { TRPCClientError } from "@trpc/client";
import { type ReactNode, useEffect, useState } from "react";
import { type Action, useAction } from "@/components/dashboard/use-action";
import type { Issue } from "@/server/domain/issues";
import type { StaffError } from "@/server/services/staff/procedure/error-shape";

export interface FormAction extends Action {
  /** The procedure's errors about a field, or about a list's entries as "`each` 2". Null: none. */
  faultOf(field: string, each?: string): string | null;
  /** The error that belongs to none of the form's fields. */
  otherFault: ReactNode;
}

/**
 * Provides an action that a form runs on the server: `fields` are those that show their errors, and the first with one
 * takes the focus.
 */
export function useFormAction(fields: readonly string[]): FormAction {
  const action = useAction();
  const [issues, setIssues] = useState<Issue[]>([]);
  useEffect(() => {
    if (issues.length === 0) return;
    const form = document.querySelector("[role=dialog]") ?? document;
    form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [issues]);
  const run: Action["run"] = (work, announcement) => {
    setIssues([]);
    const working = () =>
      work().catch((error: unknown) => {
        setIssues(issuesOf(error));
        throw error;
      });
    return action.run(working, announcement);
  };
  const reset = () => {
    setIssues([]);
    action.reset();
  };
  const of = (field: string) => issues.filter(({ path }) => path[0] === field);
  return {
    ...action,
    run,
    reset,
    faultOf: (field, each) =>
      of(field)
        .map((issue) => sentence(issue, each))
        .join(" ") || null,
    otherFault: fields.some((field) => of(field).length > 0) ? null : action.fault,
  };
}

function issuesOf(error: unknown): Issue[] {
  const data = error instanceof TRPCClientError ? (error.data as StaffError["data"] | undefined) : undefined;
  return data?.refusal?.kind === "invalid" ? data.refusal.issues : [];
}

/** Returns the issue's own words without the field's name, which is above them. */
function sentence({ path, description }: Issue, each = "Entry"): string {
  const index = path.find((part) => typeof part === "number");
  const words = description.slice(description.indexOf(" ") + 1);
  return `${index === undefined ? "This" : `${each} ${index + 1}`} ${words}.`;
}
