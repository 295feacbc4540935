import { hash } from "node:crypto";
import type { Day } from "@/server/domain/time/day";
import { formatDay } from "@/server/domain/time/day";

/** The prefixes of the specification ("Conventions"), and our own for everything else. */
export type IdPrefix =
  | "acc"
  | "apc"
  | "pro"
  | "cal"
  | "chn"
  | "evt"
  | "whd"
  | "app"
  | "gra"
  | "sec"
  | "opr"
  | "ses"
  | "rpl"
  | "cds"
  | "oac"
  | "inv"
  | "svw"
  | "alm"
  | "bkg"
  | "trg"
  | "fed"
  | "dlg"
  | "saa"
  | "nte";

export type Id<P extends IdPrefix> = string & { readonly id: P };
export type AccountId = Id<"acc"> | Id<"apc">;
export type EventUid = Id<"evt">;

/**
 * The key of an occurrence within its series: its original day, and its original time if the series has several a day.
 */
export interface OccurrenceKey {
  day: Day;
  /** Local time, milliseconds as though in UTC. */
  time?: number;
}

/**
 * Derives the event_uid of one occurrence from its series and its original day, so that it outlives rewrites for as
 * long as that day stays in the series (ADR 90).
 */
export function occurrenceUid(masterId: string, { day, time }: OccurrenceKey): EventUid {
  const name = time === undefined ? formatDay(day) : `${formatDay(day)}|${time}`;
  return `evt_${hash("sha256", `${masterId}|${name}`, "hex").slice(0, 24)}` as EventUid;
}
