import { fstatSync, writeSync } from "node:fs";
import { clock } from "@/server/clock";

const STDERR = 2;
/** What a reader of a pipe may leave unread, in bytes. */
const MOST_UNREAD = 1024 * 1024;
const WARN = 40;

let linesLost = 0;

/** Counts the lines of the log that could not be written since the start. */
export function logLinesLost(): number {
  return linesLost;
}

/**
 * Writes lines to stderr, whatever that is. It never throws, and waits for no reader: a line for which a disk has no room, or which nobody
 * reads, is dropped and counted, and the next line that can be written is followed by how many were.
 */
export function logLines(): { write(line: string): void } {
  let unsaid = 0;
  const lost = () => {
    unsaid += 1;
    linesLost += 1;
  };
  const write = isPipe() ? pipeWriter(lost) : fileWriter(lost);
  return {
    write(line) {
      if (!write(line) || unsaid === 0) return;
      const facts = { level: WARN, time: clock().now(), module: "log", lost: unsaid };
      unsaid = 0;
      write(`${JSON.stringify({ ...facts, msg: "lines of the log could not be written" })}\n`);
    },
  };
}

/** Gives whether a line was taken. */
type Write = (line: string) => boolean;

function isPipe(): boolean {
  try {
    const stderr = fstatSync(STDERR);
    return stderr.isFIFO() || stderr.isSocket();
  } catch {
    return false;
  }
}

/** Writes to a pipe. Node does so without waiting and holds in memory what nobody reads, so that is bounded. */
function pipeWriter(lost: () => void): Write {
  // Without a listener an error would end the process; each line learns of it below.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {});
  const written = (error?: Error | null) => {
    if (error) lost();
  };
  return (line) => {
    const hasRoom = process.stderr.writableLength < MOST_UNREAD;
    if (hasRoom) process.stderr.write(line, written);
    else lost();
    return hasRoom && process.stderr.writable;
  };
}

/** Writes to files, terminals and devices. */
function fileWriter(lost: () => void): Write {
  let isCut = false;
  return (line) => {
    const bytes = Buffer.from(isCut ? `\n${line}` : line);
    let length = 0;
    try {
      length = writeSync(STDERR, bytes);
    } catch {
      // Counted below.
    }
    if (length > 0) isCut = length < bytes.length;
    if (length < bytes.length) lost();
    return length === bytes.length;
  };
}
