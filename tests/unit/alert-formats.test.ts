import { expect, it } from "vitest";
import type { AlertBody } from "@/server/services/staff/alerts/message";
import { slackMessage } from "@/server/services/staff/alerts/slack";
import { teamsMessage } from "@/server/services/staff/alerts/teams";
import { noticeOf } from "@/server/services/staff/alerts/words";

const SINCE = Date.parse("2026-11-21T10:31:00Z");
const scope = "app_1";
const settings = "https://almanac.test/dashboard/applications/app_1/alerts";
const requests = "https://almanac.test/dashboard/applications/app_1/requests?statusClass=5xx";

function notice(applicationName: string, more: Partial<AlertBody> = {}) {
  const facts = { kind: "server_error_rate", requests: 40, errors: 5, applicationId: scope, applicationName } as const;
  const body: AlertBody = { kind: facts.kind, state: "began", count: 1, items: [{ facts, since: SINCE }], ...more };
  return noticeOf({ body, scope, appUrl: "https://almanac.test" });
}

it("Slack gets blocks and a text, in which names are no links and no mentions", () => {
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });
  expect(slackMessage(notice("A&B <!channel> <https://evil.test|Sign in>\n"))).toEqual({
    text: "13% of requests failed with 5xx: A&amp;B &lt;!channel&gt; &lt;https://evil.test|Sign in&gt;",
    blocks: [
      section("*13% of requests failed with 5xx: A&amp;B &lt;!channel&gt; &lt;https://evil.test|Sign in&gt;*"),
      section("Almanac returned 5xx responses. See the request log for details."),
      section(
        "• A&amp;B &lt;!channel&gt; &lt;https://evil.test|Sign in&gt;: 5 of 40 requests in the last 15 minutes, since 2026-11-21 10:31 UTC",
      ),
      {
        type: "context",
        elements: [
          {
            ...{ type: "mrkdwn", verbatim: true },
            text: `<${requests}|Open the dashboard> · <${settings}|Change these alerts>`,
          },
        ],
      },
    ],
  });
});

it("Teams gets a card whose texts are no Markdown", () => {
  const paragraph = (text: string, look = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, ...look }],
  });
  const title = "13% of requests failed with 5xx: [Sign in](https://evil.test) **B**";
  expect(teamsMessage(notice("[Sign in](https://evil.test) **B**"))).toEqual({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.2",
          fallbackText: title,
          body: [
            paragraph(title, { weight: "Bolder", size: "Medium" }),
            paragraph("Almanac returned 5xx responses. See the request log for details."),
            paragraph(
              "• [Sign in](https://evil.test) **B**: 5 of 40 requests in the last 15 minutes, since 2026-11-21 10:31 UTC",
            ),
          ],
          actions: [
            { type: "Action.OpenUrl", title: "Open the dashboard", url: requests },
            { type: "Action.OpenUrl", title: "Change these alerts", url: settings },
          ],
          msteams: { width: "Full" },
        },
      },
    ],
  });
});

it("long and many names stay within what Slack and Teams accept", () => {
  const item = { facts: factsOf("&😀".repeat(2_000)), since: SINCE };
  const items = Array.from({ length: 20 }, () => item);
  const long = notice("", { count: 25, items });
  const { blocks } = slackMessage(long);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) expect(JSON.stringify(block).length).toBeLessThan(3_000);
  expect(JSON.stringify(slackMessage(long))).not.toMatch(/\\ud83d(?!\\ude00)/);
  expect(Buffer.byteLength(JSON.stringify(teamsMessage(long)))).toBeLessThan(28_000);
  expect(long.lines.at(-1)).toBe("and 5 more");
});

function factsOf(applicationName: string) {
  return { kind: "deliveries_failed", failed: 3, applicationId: scope, applicationName } as const;
}
