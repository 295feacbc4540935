import { Refusal } from "@/server/services/refusal";

/** 404 with a body, of every request that names a channel. */
export function unknownChannel(adjective: "" | "open " = ""): Refusal {
  return new Refusal({ kind: "unknown_channel", description: `This account has no ${adjective}channel with this id` });
}
