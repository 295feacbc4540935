import { accountList } from "@/server/services/staff/lists/accounts";
import { deliveryList } from "@/server/services/staff/lists/deliveries";
import { endpointList } from "@/server/services/staff/lists/endpoints";
import { requestList } from "@/server/services/staff/lists/requests";

/** The lists whose filters and order can be saved, by their names. */
export const viewedLists = {
  deliveries: deliveryList,
  endpoints: endpointList,
  requests: requestList,
  accounts: accountList,
} as const;
export type ViewedList = keyof typeof viewedLists;

/** Filters and an order of a list that an operator has named. */
export interface SavedView {
  id: string;
  list: ViewedList;
  name: string;
  /** As the page's address has it. A list may have lost some of it since. */
  query: string;
}
