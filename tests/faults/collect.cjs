/**
 * Preloaded into a service whose memory is measured, in each of its threads: for a message all of them collect their garbage, and the process answers with
 * what stays resident, in bytes. Without it a measurement shows when V8 chose to collect, not what is held.
 */
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const { BroadcastChannel, isMainThread } = require("node:worker_threads");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const threads = new BroadcastChannel("almanac-collect");
threads.unref();
if (isMainThread) {
  process.on("message", (message) => {
    if (message !== "collect") return;
    threads.postMessage("collect");
    collect();
    // What waited to be freed is freed by then, in the other threads too.
    setTimeout(() => {
      collect();
      process.send({ resident: process.memoryUsage().rss });
    }, 200);
  });
  process.channel?.unref();
} else {
  threads.onmessage = () => collect();
}
