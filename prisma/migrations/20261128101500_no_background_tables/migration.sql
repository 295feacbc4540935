-- rolling: stop-first: the executor of the previous version keeps its runs in the tables that this drops
-- Rows say what is due (ADR 13): what was begun and not done is found by the sweep.
DROP TABLE background_steps, background_runs, background_events, background_crons;
DROP TYPE background_state;
