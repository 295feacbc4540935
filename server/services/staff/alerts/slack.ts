import type { Notice } from "@/server/services/staff/alerts/words";

/** In characters. A section takes 3,000, and an escaped one becomes five. */
const LONGEST_LINE = 590;

/** Writes a notice for an incoming webhook of Slack: blocks, and the text that its notifications show. */
export function slackMessage({ title, advice, lines, dashboardUrl, settingsUrl }: Notice) {
  const links = [
    ...(dashboardUrl === null ? [] : [`<${escaped(dashboardUrl)}|Open the dashboard>`]),
    `<${escaped(settingsUrl)}|Change these alerts>`,
  ];
  return {
    text: lineText(title),
    blocks: [
      section(`*${lineText(title)}*`),
      section(escaped(advice ?? "This is a test. Alerts in Slack work.")),
      ...lines.map((line) => section(`• ${lineText(line)}`)),
      { type: "context", elements: [markup(links.join(" · "))] },
    ],
  };
}

function section(text: string) {
  return { type: "section", text: markup(text) };
}

/** Is shown as it stands: addresses and names of channels in it become no links. */
function markup(text: string) {
  return { type: "mrkdwn", text, verbatim: true };
}

function lineText(text: string): string {
  const characters = [...text];
  return escaped(characters.length > LONGEST_LINE ? `${characters.slice(0, LONGEST_LINE).join("")}…` : text);
}

/** Replaces the three characters that Slack reads as markup of links and mentions. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
