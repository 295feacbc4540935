"use client";

import { useEffect, useRef, useState } from "react";
import { classes } from "@/components/ui/classes";
import { isColour } from "@/server/domain/branding/accent";

const widths = { Phone: 390, Desktop: 1_280 } as const;
const widthNames = ["Phone", "Desktop"] as const;
const HEIGHT = 760;
const themes = ["Light", "Dark"] as const;

interface BrandingPreviewProps {
  id: string;
  /** Changing it loads another page. */
  logo: string | null;
  fields: { accent: string; supportUrl: string; privacyUrl: string };
}

/** Shows the connect page itself, in both widths and both themes, with unsaved changes. */
export function BrandingPreview({ id, logo, fields }: BrandingPreviewProps) {
  const [width, setWidth] = useState<keyof typeof widths>("Phone");
  const [theme, setTheme] = useState<(typeof themes)[number]>("Light");
  const frame = useRef<HTMLDivElement>(null);
  // Null until the page has loaded: its policy allows no style in the markup.
  const [room, setRoom] = useState<number | null>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() => setRoom(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, (room ?? 0) / widths[width]);
  const accent = fields.accent === "" || isColour(fields.accent) ? { accent: fields.accent } : {};
  const query = new URLSearchParams({ application: id, theme: theme.toLowerCase(), ...fields, ...accent });
  return (
    <section aria-labelledby="preview" className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <h2 id="preview" className="text-14 font-medium">
          Preview
        </h2>
        <Choice label="Width" options={widthNames} chosen={width} choose={setWidth} />
        <Choice label="Theme" options={themes} chosen={theme} choose={setTheme} />
      </div>
      <div ref={frame} className="min-h-96 overflow-hidden">
        {room !== null && (
          <div style={{ height: HEIGHT * scale }}>
            <iframe
              key={logo}
              title={`Connect page, ${width.toLowerCase()}, ${theme.toLowerCase()} theme`}
              src={`/api/branding?${query}`}
              sandbox="allow-same-origin"
              tabIndex={-1}
              className="max-w-none origin-top-left rounded-md border"
              style={{ width: widths[width], height: HEIGHT, transform: `scale(${scale})` }}
            />
          </div>
        )}
      </div>
    </section>
  );
}

interface ChoiceProps<Option extends string> {
  label: string;
  options: readonly Option[];
  chosen: Option;
  choose: (option: Option) => void;
}

function Choice<Option extends string>({ label, options, chosen, choose }: ChoiceProps<Option>) {
  return (
    <fieldset className="flex items-center gap-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === chosen}
          onClick={() => choose(option)}
          className={classes(
            "h-7 rounded-md border px-2.5 text-12 max-sm:h-9",
            option === chosen ? "border-edge bg-picked text-ink" : "text-faint hover:text-ink",
          )}
        >
          {option}
        </button>
      ))}
    </fieldset>
  );
}
