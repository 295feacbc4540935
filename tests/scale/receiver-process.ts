import { startReceivers } from "@/tests/rig/receivers";
import { serveTasks } from "@/tests/rig/side-process";

const receivers = await startReceivers(Number(process.env.RECEIVERS), {
  answerAfterMs: Number(process.env.ANSWER_AFTER_MS),
});
serveTasks({
  origins: () => receivers.origins,
  posts: () => receivers.posts,
  /** How many were answered between two moments of the machine's clock. */
  answered: ({ from, to }: { from: number; to: number }) =>
    receivers.posts.filter(({ answeredAt }) => answeredAt !== null && answeredAt >= from && answeredAt < to).length,
});
