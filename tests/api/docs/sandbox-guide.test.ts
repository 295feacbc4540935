import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { sandboxGuide } from "@/components/docs/guides/sandbox";
import { sandboxChangeTypes } from "@/server/services/sandbox/change-shape";
import { address, openCalendar } from "../service";

const blocks = sandboxGuide().sections.flatMap((section) => section.blocks);

it("the sandbox guide has every type of change", () => {
  const table = blocks.filter((block) => typeof block === "string").join("\n");
  for (const type of sandboxChangeTypes) expect(table).toContain(`| \`${type}\` |`);
});

it("the sandbox guide's requests do what they say when they are pasted", async () => {
  const { accessToken, calendarId, get } = await openCalendar();
  const env = { ...process.env, API: await address(), TOKEN: accessToken, CALENDAR: calendarId };
  const statuses: string[] = [];
  for (const block of blocks) {
    if (typeof block === "string" || "list" in block) continue;
    const { stdout } = await promisify(execFile)("bash", ["-c", block.text], { env });
    statuses.push(...(stdout.match(/^HTTP\/1\.1 \d+/gm) ?? []));
  }
  expect(statuses).toEqual(["HTTP/1.1 202", "HTTP/1.1 202", "HTTP/1.1 202", "HTTP/1.1 429"]);
  const { events } = (await get("/v1/events", { tzid: "Etc/UTC" })).json;
  expect(events).toMatchObject([{ summary: "Kick-off", participation_status: "needs_action" }]);
});
