import { closeChannel, pauseChannel, resumeChannel } from "@/server/services/staff/channels/control";
import { channelHealth } from "@/server/services/staff/channels/health";
import { listChannels } from "@/server/services/staff/channels/list";
import { testChannel } from "@/server/services/staff/channels/test";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

export const channelsRouter = staffRouter({
  list: listChannels,
  health: channelHealth,
  test: testChannel,
  pause: pauseChannel,
  resume: resumeChannel,
  close: closeChannel,
});
