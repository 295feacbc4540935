import type { Notice } from "@/server/services/staff/alerts/words";

/** In characters. Teams takes messages of 28 KB, and a message has about 20 lines. */
const LONGEST_LINE = 300;

/** Writes a notice for a workflow of Teams: a message with an Adaptive Card. */
export function teamsMessage({ title, advice, lines, dashboardUrl, settingsUrl }: Notice) {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.2",
    fallbackText: lineText(title),
    body: [
      paragraph(title, { weight: "Bolder", size: "Medium" }),
      paragraph(advice ?? "This is a test. Alerts in Teams work."),
      ...lines.map((line) => paragraph(`• ${line}`)),
    ],
    actions: [
      ...(dashboardUrl === null ? [] : [openUrl("Open the dashboard", dashboardUrl)]),
      openUrl("Change these alerts", settingsUrl),
    ],
    msteams: { width: "Full" },
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

/** Shows text as it stands: a TextBlock would read Markdown in it. */
function paragraph(text: string, look: Record<string, string> = {}) {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text: lineText(text), ...look }] };
}

function openUrl(title: string, url: string) {
  return { type: "Action.OpenUrl", title, url };
}

function lineText(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_LINE ? `${characters.slice(0, LONGEST_LINE).join("")}…` : text;
}
