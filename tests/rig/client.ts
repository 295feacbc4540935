import type { Seeded } from "@/tests/rig/seed";

const PATIENCE_MS = 10_000;

export interface ApiResponse {
  /** 0: no answer came; the connection was refused or broken. */
  status: number;
  text: string;
}

/** POST with an account's token; never throws for what the service does. */
export async function post(url: string, { token }: Seeded, body: object): Promise<ApiResponse> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") return { status: 408, text: "it hung" };
    return { status: 0, text: "" };
  }
}

/** POST /v1/channels, expecting 200: its verification wakes whoever delivers. Gives the channel's id. */
export async function openChannel(origin: string, account: Seeded, callback_url: string): Promise<string> {
  const { status, text } = await post(`${origin}/v1/channels`, account, { callback_url });
  if (status !== 200) throw new Error(`a channel was not opened: ${status} ${text}`);
  return JSON.parse(text).channel.channel_id;
}
