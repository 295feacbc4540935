import type { EventUid } from "@/server/domain/ids";
import type { Instant } from "@/server/domain/time/instant";
import type { Frame, Position } from "@/server/store/events/pages/frame";
import { type CursorOwner, readSignedCursor, signedCursor } from "@/server/store/signed-cursor";

const UID_PREFIX = "evt_";
const managed = ["unmanaged", "own", "both"] as const;

export interface Cursor {
  frame: Frame;
  position: Position;
}

/** Writes an opaque, signed page cursor of at most 600 characters, also with 100 calendars and the longest time zone name. */
export function writeCursor({ frame, position }: Cursor, owner: CursorOwner): string {
  const flags = [frame.localized, frame.includeIds, frame.includeDeleted].reduce(
    (bits, flag, i) => bits | (Number(flag) << i),
    0,
  );
  return signedCursor(
    [
      frame.from,
      frame.to,
      frame.tzid,
      flags,
      managed.indexOf(frame.managed),
      frame.modifiedSince,
      frame.calendars === null ? null : packNumbers(frame.calendars),
      position.page,
      position.total,
      position.at,
      position.uid.slice(UID_PREFIX.length),
      position.left,
    ],
    owner,
  );
}

/** Reads a cursor. Returns null when this service did not issue it for this account and endpoint. */
export function readCursor(text: string, owner: CursorOwner): Cursor | null {
  const packed = readSignedCursor(text, owner);
  return packed && unpack(packed as Packed);
}

type Packed = [
  number,
  number,
  string,
  number,
  number,
  number | null,
  string | null,
  number,
  number,
  number,
  string,
  number?,
];

/** Unpacks a cursor. One of an earlier release lacks the number of rows left: its pages are full ones, which need not know it. */
function unpack([
  from,
  to,
  tzid,
  flags,
  whose,
  modifiedSince,
  calendars,
  page,
  total,
  at,
  uid,
  left = 0,
]: Packed): Cursor {
  return {
    frame: {
      from: from as Instant,
      to: to as Instant,
      tzid,
      localized: (flags & 1) !== 0,
      includeIds: (flags & 2) !== 0,
      includeDeleted: (flags & 4) !== 0,
      managed: managed[whose] ?? "unmanaged",
      modifiedSince,
      calendars: calendars === null ? null : unpackNumbers(calendars),
    },
    position: { page, total, left, at: at as Instant, uid: `${UID_PREFIX}${uid}` as EventUid },
  };
}

/** Packs ascending numbers as base64 of variable-length differences: 100 calendars of one account fit into the 600 characters. */
function packNumbers(numbers: readonly number[]): string {
  const bytes: number[] = [];
  let previous = 0;
  for (const number of [...numbers].sort((a, b) => a - b)) {
    let difference = number - previous;
    previous = number;
    while (difference > 127) {
      bytes.push((difference & 127) | 128);
      difference >>>= 7;
    }
    bytes.push(difference);
  }
  return Buffer.from(bytes).toString("base64url");
}

function unpackNumbers(text: string): number[] {
  const numbers: number[] = [];
  let number = 0;
  let difference = 0;
  let shift = 0;
  for (const byte of Buffer.from(text, "base64url")) {
    difference |= (byte & 127) << shift;
    shift += 7;
    if (byte & 128) continue;
    number += difference;
    numbers.push(number);
    difference = 0;
    shift = 0;
  }
  return numbers;
}
