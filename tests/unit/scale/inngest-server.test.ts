import { afterEach, expect, it, vi } from "vitest";
import { inngestServer } from "@/tests/scale/inngest/inngest-server";

afterEach(() => vi.unstubAllEnvs());

function given(command: string) {
  vi.stubEnv("INNGEST_BASE_URL", "http://127.0.0.1:1");
  vi.stubEnv("INNGEST_EVENT_KEY", "event");
  vi.stubEnv("INNGEST_SIGNING_KEY", "signing");
  vi.stubEnv("INNGEST_COMMAND", command);
  return inngestServer();
}

it("a server that ends when it is started is told, and killing it waits for nothing", async () => {
  const server = given("sh -c 'exit 3'");
  await expect(server?.start?.("signing")).rejects.toThrow("ended with 3");
  await server?.kill();
  expect(server?.pid()).toBeUndefined();
});
