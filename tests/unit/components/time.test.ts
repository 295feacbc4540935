import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { localTime } from "@/components/ui/local-time";
import { FullTime } from "@/components/ui/time";

const AT = "2026-11-21T23:05:09.123Z";

describe("a time in full", () => {
  it("is said in the reader's zone, with the zone's short name", () => {
    expect(localTime(AT, "America/New_York")).toBe("2026-11-21 18:05:09 EST");
    expect(localTime(AT, "Europe/Berlin")).toBe("2026-11-22 00:05:09 CET");
    expect(localTime(AT, "UTC")).toBe("2026-11-21 23:05:09 UTC");
  });

  it("is UTC as long as only the server has rendered it, for machines too", () => {
    const time = createElement(FullTime, { at: AT, now: Date.parse(AT) + 60_000 });
    const html = renderToStaticMarkup(time);
    expect(html).toContain(`dateTime="${AT}"`);
    expect(html.replace(/<[^>]*>/g, "")).toBe("2026-11-21 23:05:09 UTC · 1 min ago");
  });
});
