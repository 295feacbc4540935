import { expect, it } from "vitest";
import { codeLanguages } from "@/components/docs/code/languages";
import { guideNamed } from "@/components/docs/guides/all";
import { servedDocument } from "@/server/http/openapi/served";
import { sandboxChangeTypes } from "@/server/services/sandbox/change-shape";
import { address, openCalendar } from "../service";
import { runCode } from "./run-code";

const blocks = guideNamed("sandbox", servedDocument()).sections.flatMap((section) => section.blocks);

it("the sandbox guide has every type of change", () => {
  const table = blocks.filter((block) => typeof block === "string").join("\n");
  for (const type of sandboxChangeTypes) expect(table).toContain(`| \`${type}\` |`);
});

it.each(codeLanguages.map(({ id }) => id))("the sandbox guide's requests do what they say in %s", async (language) => {
  const { accessToken, calendarId, get } = await openCalendar();
  const env = { API: await address(), TOKEN: accessToken, CALENDAR: calendarId };
  const statuses: string[] = [];
  for (const block of blocks) {
    if (typeof block === "string" || !("step" in block)) continue;
    const ran = await runCode(language, block.codes[language] ?? "", env);
    expect([ran.status, language === "curl" ? "" : ran.stderr]).toEqual([0, ""]);
    statuses.push(...(ran.stdout.match(/^(?:HTTP\/1\.1 )?(\d{3})\b/m)?.slice(1) ?? []));
    const shown = /^HTTP\/1\.1 (\d{3})/.exec(block.response?.text ?? "")?.[1];
    expect(statuses.at(-1), block.step).toBe(shown);
  }
  expect(statuses).toEqual(["202", "202", "202", "202", "202", "429"]);
  const { events } = (await get("/v1/events", { tzid: "Etc/UTC" })).json;
  expect(events).toMatchObject([{ summary: "Kick-off", participation_status: "needs_action" }]);
});
