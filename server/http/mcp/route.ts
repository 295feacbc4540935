import { bookedEventId } from "@/server/domain/event-keys";
import { recordOf } from "@/server/domain/records";
import { EVENT_BODY } from "@/server/http/read-body";
import { WholeResponse } from "@/server/http/responses";
import type { RouteInput, Served } from "@/server/http/routes/route";

const RESOURCE_METADATA = "/.well-known/oauth-protected-resource/mcp";

/**
 * The MCP server (Streamable HTTP): a request is a POST with one JSON-RPC message, and its response JSON. It keeps no
 * sessions, so that any process can serve the next request.
 */
export const mcp: Served = {
  id: "mcp",
  method: "post",
  credential: "bearer",
  readsOccurrences: true,
  resourceMetadata: RESOURCE_METADATA,
  body: { limit: EVENT_BODY },
  responses: { 200: { description: "The response to the JSON-RPC request." } },
  loggedBody: (body) => ({ method: body.method, ...calledTool(body) }),
  call: async (api, { body, headers }) => {
    // The protocol's library is loaded with the first request: most installations have no assistants.
    const { answerMcp } = await import("@/server/http/mcp/answer");
    return new WholeResponse(await answerMcp(api, { body, headers }));
  },
};

/** Returns the tool that is called, and of a call that writes the event. */
function calledTool({ params }: RouteInput["body"]): Record<string, unknown> {
  const { name: tool, arguments: args } = recordOf(params);
  const { confirm, preview_id: preview, event_uid, calendar_id } = recordOf(args);
  if (confirm !== true || typeof preview !== "string") return { tool };
  if (tool === "book") return { tool, calendar_id, event_id: bookedEventId(preview) };
  return { tool, event_uid };
}
