import { SERVICE, type SwitchedOn } from "@/server/domain/maintenance";
import { switchOf } from "@/server/store/maintenance/maintenance";

/** Returns the switch of the whole service while it is on, for pages. */
export function serviceMaintenance(): SwitchedOn | null {
  return switchOf(SERVICE);
}

/** Returns the switch of an application while it is on, for pages. */
export function applicationMaintenance(id: string): SwitchedOn | null {
  return switchOf(id);
}
