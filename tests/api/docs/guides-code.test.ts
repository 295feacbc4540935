import { describe, expect, it } from "vitest";
import { type CodeLanguage, codeLanguages } from "@/components/docs/code/languages";
import type { Step } from "@/components/docs/guide";
import { guides } from "@/components/docs/guides/all";
import { servedDocument } from "@/server/http/openapi/served";
import { address, openCalendar } from "../service";
import { runCode } from "./run-code";
import { lasting } from "./same-response";

/** The quickstart's blocks continue each other, and tests/start/quickstart.test.ts runs them; these run alone. */
const paths = [
  "/docs/concepts",
  "/docs/authentication",
  "/docs/webhooks",
  "/docs/time-zones",
  "/docs/recurrence",
  "/docs/guests",
  "/docs/meeting-links",
];
/** What only a browser could get. */
const impossible = new Set(["Exchange the code", "Send a test event"]);
/** Shown with the response of an example of the document, in which there was more: tests/api/openapi/examples.test.ts has it sent. */
const recordedElsewhere = new Set([
  "Get the account",
  "List the calendars",
  "Refresh the access token",
  "List changes since a notification",
]);

function stepsOf(path: string): Step[] {
  const guide = guides(servedDocument()).find((each) => each.path === path);
  const blocks = guide?.sections.flatMap((section) => section.blocks) ?? [];
  return blocks.flatMap((block) => (typeof block === "object" && "step" in block ? block : []));
}

/** The status that a program prints: with curl it is there only for responses without a body. */
function statusOf(stdout: string): string | undefined {
  return /^(?:HTTP\/1\.1 )?(\d{3})\b/m.exec(stdout)?.[1];
}

describe.each(codeLanguages.map(({ id }) => id))("the guides' requests in %s", (language: CodeLanguage) => {
  it.each(paths)("do what they say: %s", async (path) => {
    const { accessToken, refreshToken, calendarId, application } = await openCalendar();
    const env = {
      ...{ API: await address(), TOKEN: accessToken, REFRESH_TOKEN: refreshToken, CALENDAR: calendarId },
      ...{ CLIENT_ID: application.clientId, CLIENT_SECRET: application.clientSecret },
    };
    const steps = stepsOf(path).filter(({ step }) => !impossible.has(step));
    expect(steps.length).toBeGreaterThan(0);
    for (const { step, codes, response } of steps) {
      const ran = await runCode(language, codes[language] ?? "", env);
      expect([step, ran.status, language === "curl" ? "" : ran.stderr]).toEqual([step, 0, ""]);
      const status = /\b\d{3}\b/.exec(
        response?.text.startsWith("HTTP") ? response.text : (response?.name ?? "200"),
      )?.[0];
      if (language !== "curl" || response?.text.startsWith("HTTP"))
        expect([step, statusOf(ran.stdout)]).toEqual([step, status]);
      else if (response?.language === "json" && !recordedElsewhere.has(step))
        expect([step, lasting(ran.stdout)]).toEqual([step, lasting(response.text)]);
      else expect(ran.stdout).not.toContain('"errors"');
    }
  });
});

it("every guide but those for administrators has its requests run by a test", () => {
  const withSteps = guides(servedDocument()).filter(({ path }) => stepsOf(path).length > 0);
  expect(withSteps.map(({ path }) => path).sort()).toEqual([...paths, "/docs/quickstart", "/docs/sandbox"].sort());
});
