"use client";

import { type FormEvent, useState } from "react";
import { BrandingLogo } from "@/components/dashboard/applications/branding-logo";
import { BrandingPreview } from "@/components/dashboard/applications/branding-preview";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { TextField } from "@/components/ui/field";
import { accentsOf, isColour } from "@/server/domain/branding/accent";
import type { Branding } from "@/server/domain/branding/branding";

const EXAMPLE_COLOUR = "#1a73e8";

interface BrandingEditorProps {
  id: string;
  saved: Branding;
  canChange: boolean;
}

/** Edits how the connect page looks to an application's users, with a preview. */
export function BrandingEditor({ id, saved, canChange }: BrandingEditorProps) {
  const [fields, setFields] = useState({
    accent: saved.accent ?? "",
    supportUrl: saved.supportUrl ?? "",
    privacyUrl: saved.privacyUrl ?? "",
  });
  const action = useFormAction(["accent", "supportUrl", "privacyUrl"]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    await action.run(() => staffClient.applications.setBranding.mutate({ id, ...fields }), "Branding saved");
  };
  const field = (name: keyof typeof fields) => ({
    ...{ name, value: fields[name], readOnly: !canChange, fault: action.faultOf(name) },
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setFields({ ...fields, [name]: event.currentTarget.value.trim() }),
  });
  return (
    <div className="grid gap-x-10 gap-y-8 px-6 py-4 max-sm:px-4 lg:grid-cols-[minmax(280px,360px)_1fr]">
      <div className="grid content-start gap-6">
        <BrandingLogo id={id} logo={saved.logo} canChange={canChange} />
        <form noValidate onSubmit={submit} className="grid gap-4">
          <div className="flex items-start gap-2">
            <TextField
              className="grow"
              label="Color"
              placeholder={EXAMPLE_COLOUR}
              hint={colourHint(fields.accent)}
              {...field("accent")}
            />
            <input
              type="color"
              aria-label="Pick a color"
              className="mt-6 h-8 w-10 shrink-0 rounded-md border border-edge bg-raised p-1 max-sm:h-10"
              value={isColour(fields.accent) ? fields.accent : EXAMPLE_COLOUR}
              disabled={!canChange}
              onChange={({ currentTarget }) => setFields({ ...fields, accent: currentTarget.value })}
            />
          </div>
          <TextField
            label="Support link"
            placeholder="https://acme.com/help"
            hint="Where users find help. Shown at the end of every page."
            {...field("supportUrl")}
          />
          <TextField
            label="Privacy link"
            placeholder="https://acme.com/privacy"
            hint="Your privacy policy."
            {...field("privacyUrl")}
          />
          <Fault>{action.otherFault}</Fault>
          {canChange && (
            <Button type="submit" look="primary" className="justify-self-start" disabled={action.isBusy}>
              {action.isBusy ? "Saving…" : "Save"}
            </Button>
          )}
        </form>
      </div>
      <BrandingPreview id={id} logo={saved.logo} fields={fields} />
    </div>
  );
}

function colourHint(colour: string): string {
  if (!isColour(colour)) return `Buttons and links. Hex, such as ${EXAMPLE_COLOUR}.`;
  const { light, dark } = accentsOf(colour);
  const shades = [
    ...(light === colour.toLowerCase() ? [] : [`${light} in the light theme`]),
    ...(dark === colour.toLowerCase() ? [] : [`${dark} in the dark theme`]),
  ];
  return shades.length === 0 ? "Readable in both themes." : `Shown as ${shades.join(" and ")}, so text stays readable.`;
}
