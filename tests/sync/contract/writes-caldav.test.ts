import { afterAll, beforeAll, describe, it } from "vitest";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { fileEnvironment } from "../file-environment";
import { caldavSide } from "./caldav-side";
import { playWrites, ways } from "./play-writes";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const { "with a 503 in place of each response": _, ...played } = ways; // CalDAV's requests are repeated alike, however a response was lost

describe("what becomes of an event that two write to is the same everywhere: iCloud", () => {
  it.each(Object.entries(played))("%s", (_, way) => playWrites(caldavSide, receiver, way));
});
