/** The PostgreSQL server on which every part makes its databases, as tests/faults does. */
export const SERVER = process.env.FAULTS_DATABASE_URL ?? "postgresql://root@127.0.0.1:5432/postgres";
export const REDIS = process.env.SCALE_REDIS_URL ?? "redis://127.0.0.1:6379";
