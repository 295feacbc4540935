/** The tools of the MCP server. */
export const assistantTools = [
  ...(["list_calendars", "find_events", "get_event", "what_changed", "find_free_time"] as const),
  ...(["book", "change_event", "reply_to_invitation"] as const),
] as const;

export type AssistantTool = (typeof assistantTools)[number];
