import { composed } from "@/server/db/composed";
import { pageSamples } from "@/server/db/pages/samples";
import {
  isKeptPage,
  type PageRequest,
  type PageRow,
  type PageShape,
  pageColumns,
  pageStatement,
} from "@/server/db/pages/statement";
import { bool, float8, nullable, text, textOf } from "@/server/db/statement";
import type { FreeBusyStatus } from "@/server/domain/free-busy";

const shape: PageShape = {
  scanned: "o.uid, o.calendar_id, o.event_id, o.all_day, o.starts, o.ends, o.free_busy",
  selected: `k.uid, k.calendar_id, k.event_id, k.all_day, date_part('epoch', k.starts) AS starts, date_part('epoch', k.ends) AS ends, k.free_busy`,
  joined: "",
};

interface PeriodRow extends PageRow {
  calendar_id: string;
  event_id: string | null;
  all_day: boolean;
  starts: number;
  ends: number;
  free_busy: FreeBusyStatus;
}

export const freeBusyPages = composed<PageRequest, PeriodRow>({
  compose: (request, binding) => pageStatement(request, shape, binding),
  columns: (request) => ({
    ...pageColumns(request),
    calendar_id: text,
    event_id: nullable(text),
    all_day: bool,
    starts: float8,
    ends: float8,
    free_busy: textOf<FreeBusyStatus>(),
  }),
  isKept: isKeptPage,
  samples: pageSamples("free_busy"),
});
