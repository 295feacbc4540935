import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { occurrence } from "@/server/http/mcp/reading";
import { addTool, bodyOf, confirming, dataOf, type Session, said } from "@/server/http/mcp/tool";
import { whenText } from "@/server/http/mcp/when";

interface Invitation {
  summary: string;
  start: string;
  end: string;
  organizer: object | null;
}

/** Adds reply_to_invitation: the provider tells the organizer. */
export function addReply(server: McpServer, { api, tzid }: Session): void {
  addTool(server, {
    name: "reply_to_invitation",
    title: "Reply to an invitation",
    description:
      "Accepts, tentatively accepts or declines an invitation for the user, and notifies the organizer. The first call returns a preview: show it to the user, and call again with the same arguments, its preview_id and confirm once they have agreed. Possible if `rights.reply` of get_event is true.",
    effect: "changes",
    input: {
      calendar_id: z.string().describe("The event's calendar."),
      ...occurrence,
      scope: z.enum(["this", "all"]).default("this").describe("Of a series: this occurrence, or all of it."),
      status: z.enum(["accepted", "tentative", "declined"]),
      comment: z.string().optional().describe("Sent to the organizer."),
      ...confirming,
    },
    run: async ({ confirm, preview_id, ...asked }) => {
      const { calendar_id, event_uid, status, comment, scope, occurrence_date } = asked;
      const query = { scope, ...(occurrence_date !== undefined && { occurrence_date }) };
      const previewed = { tool: "reply_to_invitation", args: asked };
      if (!confirm || !preview_id || !(await api.assistantPreviews.verify({ ...previewed, id: preview_id }))) {
        const { summary, start, end, organizer } = bodyOf<Invitation>(await api.events.get({ event_uid, query }));
        return said(
          "Preview. Nothing has been sent.",
          `When: ${whenText({ start, end, tzid })}`,
          `Reply: ${status}${scope === "all" ? ", to the whole series" : ""}`,
          "The invitation, and what is sent to its organizer:",
          dataOf({ summary, organizer, comment }),
          `preview_id: ${await api.assistantPreviews.issue(previewed)}`,
        );
      }
      await api.events.reply({
        ...{ calendar_id, event_uid, body: { status, ...(comment !== undefined && { comment }) } },
        query,
      });
      return said(`Replied: ${status}.`);
    },
  });
}
