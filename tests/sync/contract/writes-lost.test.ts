import { afterAll, beforeAll, describe, it } from "vitest";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { fileEnvironment } from "../file-environment";
import { googleSide } from "./google-side";
import { microsoftSide, outlookSide } from "./microsoft-side";
import { playWrites, ways } from "./play-writes";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

/** The loop that reads, merges and stores is one for all (server/sync/write-event.ts): each way is played where its requests differ. */
describe("what becomes of an event that two write to is the same everywhere", () => {
  it.each([
    ["Google", "after a read that comes first", googleSide],
    ["Google", "with a 503 in place of each response", googleSide],
    ["Google", "with connections that break before each response, and a read between", googleSide],
    ["Microsoft 365", "with a 503 in place of each response", microsoftSide],
    ["Outlook.com", "as they are written", outlookSide],
    ["Outlook.com", "after a read that comes first", outlookSide],
    ["Outlook.com", "with connections that break before each response, and a read between", outlookSide],
  ] as const)("%s, %s", (_, way, open) => playWrites(open, receiver, ways[way]));
});
