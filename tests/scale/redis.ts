export const REDIS = process.env.SCALE_REDIS_URL ?? "redis://127.0.0.1:6379";
