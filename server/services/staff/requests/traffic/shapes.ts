/** In milliseconds. Null: of no request. */
interface Latency {
  p50: number | null;
  p95: number | null;
}

export interface TrafficBar extends Latency {
  /** ISO. */
  at: string;
  requests: number;
  clientErrors: number;
  serverErrors: number;
}

export interface RouteTraffic extends Latency {
  method: string;
  /** Null: no route of the API. */
  endpoint: string | null;
  /** Requests of the sample, and those of them that failed. */
  sampled: number;
  errors: number;
}

/** Requests over a range. Volumes are counted, latencies and the figures of routes come from a sample. */
export interface Traffic {
  bars: TrafficBar[];
  /** Those with the most errors first, then those with the most requests. */
  routes: RouteTraffic[];
  requests: number;
  sampled: number;
}
