"use client";

import { type ChangeEvent, useId, useRef } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { LARGEST_LOGO_BYTES, LARGEST_LOGO_SIDE, logoPath } from "@/server/domain/branding/branding";

const RULE = `PNG, up to ${LARGEST_LOGO_BYTES / 1024} KB and ${LARGEST_LOGO_SIDE} × ${LARGEST_LOGO_SIDE} pixels.`;

interface BrandingLogoProps {
  id: string;
  logo: string | null;
  canChange: boolean;
}

/** Shows and replaces the logo above the connect page. */
export function BrandingLogo({ id, logo, canChange }: BrandingLogoProps) {
  const about = useId();
  const input = useRef<HTMLInputElement>(null);
  const action = useFormAction(["png"]);
  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    event.currentTarget.value = "";
    if (!file) return;
    await action.run(async () => {
      if (file.size > LARGEST_LOGO_BYTES) throw new Error(`This file is too large. ${RULE}`);
      await staffClient.applications.setLogo.mutate({ id, png: await base64Of(file) });
    }, "Logo saved");
  };
  const remove = () => action.run(() => staffClient.applications.removeLogo.mutate({ id }), "Logo removed");
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-13 font-medium">Logo</p>
      {logo ? (
        // biome-ignore lint/performance/noImgElement: it is small, and ours to serve as it is.
        <img src={logoPath(logo)} alt="Logo" className="max-h-11 max-w-55 rounded-md bg-white p-1" />
      ) : (
        <p className="text-13 text-faint">No logo. The page shows “Almanac”.</p>
      )}
      {canChange && (
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            accept="image/png"
            aria-label="Logo file"
            aria-describedby={about}
            className="sr-only"
            tabIndex={-1}
            onChange={upload}
          />
          <Button disabled={action.isBusy} onClick={() => input.current?.click()}>
            {action.isBusy ? "Working…" : logo ? "Replace logo…" : "Upload logo…"}
          </Button>
          {logo && (
            <Button look="quiet" disabled={action.isBusy} onClick={remove}>
              Remove
            </Button>
          )}
        </div>
      )}
      <p id={about} className="text-12 text-faint">
        {RULE}
      </p>
      <Fault>{action.faultOf("png") ?? action.otherFault}</Fault>
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
