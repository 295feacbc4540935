import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach } from "vitest";
import { db } from "@/server/db/client";
import { type Application, address } from "./service";

export interface ToolResult {
  isError: boolean;
  /** All of its text. */
  text: string;
  /** What it marks as data of others, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documented JSON of many shapes.
  data: any[];
}

export interface Assistant {
  client: Client;
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
}

const opened = new Set<Client>();

afterEach(async () => {
  for (const client of opened) await client.close();
  opened.clear();
});

/** Connects the protocol's own client with an account's token, as an assistant does. */
export async function assistantOf({ accessToken }: { accessToken: string }): Promise<Assistant> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${accessToken}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${await address()}/mcp`), { requestInit: { headers } }),
  );
  opened.add(client);
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const text = (content as { text: string }[]).map((one) => one.text).join("\n");
      const marked = text.matchAll(/<calendar_data>\n(.*?)\n<\/calendar_data>/gs);
      return { text, isError: isError === true, data: [...marked].map(([, json = ""]) => JSON.parse(json)) };
    },
  };
}

/** Lets the assistants of an application write. */
export async function letWrite({ clientId }: Pick<Application, "clientId">): Promise<void> {
  await db().prisma.application.update({ where: { clientId }, data: { mcpWrites: true } });
}

/** The value behind a name that a result says in a line of its own. */
export function said({ text }: ToolResult, name: string): string {
  return new RegExp(`^(?:.* )?${name}: (\\S+)$`, "m").exec(text)?.[1] ?? "";
}
