import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { AssistantTool } from "@/server/domain/assistant-tools";
import { JsonText } from "@/server/domain/json-text";
import { Reply } from "@/server/domain/reply";
import { refusalOf, refused } from "@/server/http/responses";
import type { ApiCaller } from "@/server/services/api";
import type { AssistantAccess } from "@/server/services/assistants/access";
import type { Reason } from "@/server/services/refusal";

/** One request: the procedures on behalf of its account. */
export interface Session extends AssistantAccess {
  api: ApiCaller;
}

interface Tool<Shape extends z.ZodRawShape> {
  name: AssistantTool;
  title: string;
  description: string;
  input: Shape;
  /** `changes`: it may change or delete what is there. `adds`: it only adds. Omitted: it reads. */
  effect?: "adds" | "changes";
  run(args: z.output<z.ZodObject<Shape>>): Promise<CallToolResult>;
}

/** Adds a tool. What a procedure refuses is its result, so that the assistant can mend its arguments. */
export function addTool<Shape extends z.ZodRawShape>(server: McpServer, tool: Tool<Shape>): void {
  const { name, title, description, input, effect, run } = tool;
  const annotations = {
    // What is written can reach guests.
    ...{ title, openWorldHint: effect !== undefined },
    ...(effect ? { readOnlyHint: false, destructiveHint: effect === "changes" } : { readOnlyHint: true }),
  };
  const inputSchema = z.strictObject(input);
  server.registerTool(name, { title, description, inputSchema, annotations }, async (args: unknown) => {
    try {
      return await run(args as z.output<z.ZodObject<Shape>>);
    } catch (error) {
      const reason = refusalOf(error);
      if (!reason) throw error;
      return refusedResult(reason);
    }
  });
}

function refusedResult(reason: Reason): CallToolResult {
  const { status, body } = refused(reason, { compatibilityMode: false });
  const sentence = sentences[reason.kind] ?? "The request was rejected.";
  return {
    isError: true,
    content: [{ type: "text", text: `${sentence} (${status})${body ? `\n${dataOf(body)}` : ""}` }],
  };
}

const sentences: Partial<Record<Reason["kind"], string>> = {
  invalid: "Some arguments are wrong. The errors are named by argument.",
  not_found: "The account has no calendar or event with this id.",
  read_only: "The calendar is read-only.",
  forbidden: "The application may not do this.",
  changed: "The event has changed since it was read, and nothing was written. This is the current event.",
  unreachable: "The calendar provider could not be reached, and nothing was written. Try again in a few seconds.",
  overloaded: "The service is busy. Try again in a few seconds.",
};

/** Writes a refusal in our own words. */
export function refusal(...lines: readonly string[]): CallToolResult {
  return { ...said(...lines), isError: true };
}

/** Writes a result of our own words. */
export function said(...lines: readonly string[]): CallToolResult {
  return { content: [{ type: "text", text: lines.join("\n") }] };
}

/**
 * Marks JSON from calendars as data of others. Nothing in it can end the mark: `<` is escaped, as JSON allows in strings,
 * and it is nowhere else.
 */
export function dataOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  return `<calendar_data>\n${text.replaceAll("<", "\\u003c")}\n</calendar_data>`;
}

/** Returns what a procedure responds with: its body as a value, and its headers. */
export function bodyOf<Body>(result: unknown): Body {
  const body = result instanceof Reply ? result.body : result;
  return (body instanceof JsonText ? JSON.parse(body.take().join("")) : body) as Body;
}

/** Returns the entity tag of a procedure's result. */
export function etagOf(result: unknown): string {
  return (result instanceof Reply && result.headers.etag) || "";
}

/** What a call that confirms has beside the arguments that were previewed. */
export const confirming = {
  confirm: z
    .boolean()
    .default(false)
    .describe(
      "`true` once the user has agreed to the preview. Without it nothing is written, and a preview is returned.",
    ),
  preview_id: z.string().max(300).optional().describe("The `preview_id` of the preview that the user agreed to."),
};
