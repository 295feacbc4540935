import { describe, expect, it } from "vitest";
import { type CodeLanguage, codeLanguages } from "@/components/docs/code/languages";
import type { Step } from "@/components/docs/guide";
import { guides } from "@/components/docs/guides/all";
import { servedDocument } from "@/server/http/openapi/served";
import { type Application, address, type Opened, openCalendar } from "../service";
import { runCode } from "./run-code";
import { lasting } from "./same-response";

/** The quickstart's blocks continue each other, and tests/start/quickstart.test.ts runs them; these run alone. */
const paths = [
  "/docs/concepts",
  "/docs/authentication",
  "/docs/webhooks",
  "/docs/status",
  "/docs/changes",
  "/docs/time-zones",
  "/docs/recurrence",
  "/docs/guests",
  "/docs/meeting-links",
  "/docs/scheduling",
  "/docs/subscriptions",
  "/docs/feeds",
  "/docs/organizations",
];
/** What only a browser could get, or a user with a provider. */
const impossible = new Set(["Exchange the code", "Send a test event", "Create a reconnect link"]);
/** The status of a response without a body that is not 200. */
const accepted = new Map([["Authorize a mailbox", "202"]]);
/** Shown with the response of an example of the document, in which there was more: tests/api/openapi/examples.test.ts has it sent. */
const recordedElsewhere = new Set([
  "Get the account",
  "List the calendars",
  "Refresh the access token",
  "List changes since a notification",
  "Start with what exists",
  "Follow with the cursor",
  "List the rooms",
]);

function stepsOf(path: string): Step[] {
  const guide = guides(servedDocument()).find((each) => each.path === path);
  const blocks = guide?.sections.flatMap((section) => section.blocks) ?? [];
  return blocks.flatMap((block) => (typeof block === "object" && "step" in block ? block : []));
}

/** Two accounts that are free together from 09:00 to 10:00 today, as the guide has them. */
async function twoPeople(application: Application): Promise<{ ADA: string; GRACE: string; CALENDAR: string }> {
  const day = new Date().toISOString().slice(0, 10);
  const withMeeting = async (start: string, end: string) => {
    const opened = await openCalendar(application);
    const times = { start: `${day}T${start}:00Z`, end: `${day}T${end}:00Z` };
    await opened.write({ event_id: "meeting", summary: "Meeting", ...times });
    return opened;
  };
  const ada = await withMeeting("08:00", "09:00");
  const grace = await withMeeting("10:00", "18:00");
  return { ADA: ada.accountId, GRACE: grace.accountId, CALENDAR: ada.calendarId };
}

/** A channel, for the code that changes how its notifications look. */
async function newChannel({ post }: Opened): Promise<string> {
  return (await post("/v1/channels", { callback_url: "https://app.acme.io/hook" })).json.channel.channel_id;
}

/** What the next step takes from a response, by its variable. */
const kept = { CURSOR: /"cursor":\s*"([^"]+)"/, BOOKING: /"booking_id":\s*"([^"]+)"/ };

function keptOf(stdout: string): Record<string, string> {
  const found = Object.entries(kept).map(([name, place]) => [name, place.exec(stdout)?.[1]]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** The status that a program prints: with curl it is there only for responses without a body. */
function statusOf(stdout: string): string | undefined {
  return /^(?:HTTP\/1\.1 )?(\d{3})\b/m.exec(stdout)?.[1];
}

describe.each(codeLanguages.map(({ id }) => id))("the guides' requests in %s", (language: CodeLanguage) => {
  it.each(paths)("do what they say: %s", async (path) => {
    const opened = await openCalendar();
    const { accessToken, refreshToken, calendarId, profileId, application } = opened;
    const env: Record<string, string> = {
      ...{
        API: await address(),
        TOKEN: accessToken,
        REFRESH_TOKEN: refreshToken,
        CALENDAR: calendarId,
        PROFILE: profileId,
      },
      ...{ CLIENT_ID: application.clientId, CLIENT_SECRET: application.clientSecret },
      ...(path === "/docs/webhooks" && { CHANNEL: await newChannel(opened) }),
      ...(path === "/docs/scheduling" && (await twoPeople(application))),
    };
    const steps = stepsOf(path).filter(({ step }) => !impossible.has(step));
    expect(steps.length).toBeGreaterThan(0);
    for (const { step, codes, response } of steps) {
      const ran = await runCode(language, codes[language] ?? "", env);
      Object.assign(env, keptOf(ran.stdout));
      expect([step, ran.status, language === "curl" ? "" : ran.stderr]).toEqual([step, 0, ""]);
      const status = /\b\d{3}\b/.exec(
        response?.text.startsWith("HTTP") ? response.text : (response?.name ?? accepted.get(step) ?? "200"),
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
