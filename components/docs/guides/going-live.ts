import { type Guide, isSandboxOff } from "@/components/docs/guide";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** What to check before users connect their calendars. */
export function goingLiveGuide(document: OpenApiDocument): Guide {
  const isOff = isSandboxOff(document);
  return {
    name: "Going live",
    path: "/docs/going-live",
    title: "Going live",
    lead: `What to check before your first user connects a calendar.${isOff ? "" : " All of it can be tried in the sandbox."}`,
    sections: [
      {
        id: "credentials",
        title: "Credentials",
        blocks: [
          "- Use an application of its own for production: its secrets, redirect URIs and users are separate from those you test with.\n- Keep the client secret, refresh tokens and signing secrets encrypted, and out of logs.\n- Check `state` on every return from the connect page.\n- Know how you [rotate a secret](/docs/authentication#rotate) before you have to.",
        ],
      },
      {
        id: "connections",
        title: "Connections",
        blocks: [
          `- [Refresh](/docs/authentication#refresh) after a 401, and retry once.\n- On \`invalid_grant\` or \`profile_disconnected\`, ask the user to [reconnect](/docs/authentication#reconnect).${isOff ? "" : " Play both with `profile_disconnected` in the [sandbox](/docs/sandbox#changes)."}\n- Wait for \`profile_initial_sync_completed\` before you show a calendar as empty.\n- [Revoke](/docs/authentication#revoke) when a user leaves.`,
        ],
      },
      {
        id: "webhooks",
        title: "Webhooks",
        blocks: [
          `- [Verify](/docs/webhooks#verify) both signatures over the raw body, and reject what is older than 5 minutes.\n- Respond within ${limits.response}, before you do the work.\n- Handle the same notification twice: keep \`Svc-Delivery-Id\`.\n- Read from the earliest \`changes_since\` that you haven't processed.\n- Respond with 2xx to types you don't know, and never with 410 unless the URL is gone for good.\n- Send yourself a [test event](/docs/reference/testChannel) on the production URL.`,
        ],
      },
      {
        id: "requests",
        title: "Requests",
        blocks: [
          `- Set a timeout, and [retry](/docs/errors#again) 429, 5xx and lost connections with growing waits.${isOff ? "" : " Ask for each with `Svc-Sandbox-Fault`."}\n- Follow \`pages.next_page\` until there is none.\n- Ignore fields you don't know. Match errors on \`key\`, never on \`description\`.\n- Log \`Svc-Request-Id\` with every error: your Almanac administrator finds the request by it.\n- Stay within the [limits](/docs/limits). Spread work across accounts.`,
        ],
      },
      {
        id: "events",
        title: "Events",
        blocks: [
          "- Choose `event_id`s that you can derive again, such as the id of a booking: a retry then never creates a second event.\n- Send `tzid` with every event that has a time. Try a [time zone](/docs/time-zones) that isn't yours, and a week in which the clocks change.\n- Expect users to move, change and delete your events.\n- Read [what differs by provider](/docs/providers) for those that your users have.",
        ],
      },
    ],
  };
}
