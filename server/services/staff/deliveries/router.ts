import { explainAbsence } from "@/server/services/staff/deliveries/absence";
import { cancelDelivery } from "@/server/services/staff/deliveries/cancel";
import { chartDeliveries } from "@/server/services/staff/deliveries/chart";
import { getDelivery } from "@/server/services/staff/deliveries/get";
import { countDeliveries, listDeliveries } from "@/server/services/staff/deliveries/list";
import { deliveryProgress } from "@/server/services/staff/deliveries/progress";
import { deliveryPulse } from "@/server/services/staff/deliveries/pulse";
import { cancelReplay } from "@/server/services/staff/deliveries/replays/cancel";
import { getReplay, listReplays } from "@/server/services/staff/deliveries/replays/list";
import { startReplay } from "@/server/services/staff/deliveries/replays/start";
import { retryDelivery } from "@/server/services/staff/deliveries/retry";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

export const deliveriesRouter = staffRouter({
  list: listDeliveries,
  count: countDeliveries,
  get: getDelivery,
  chart: chartDeliveries,
  pulse: deliveryPulse,
  progress: deliveryProgress,
  absence: explainAbsence,
  retry: retryDelivery,
  cancel: cancelDelivery,
  replays: { start: startReplay, list: listReplays, get: getReplay, cancel: cancelReplay },
});
