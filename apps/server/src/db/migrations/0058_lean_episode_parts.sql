CREATE INDEX "assistant_runs_recent" ON "assistant_runs" USING btree ("tenant_id","created_at");--> statement-breakpoint
-- All that reports add up beside the key of the index, so that the table itself is not read. Without tags, which may be long.
DROP INDEX "ticket_episodes_opened";
--> statement-breakpoint
CREATE INDEX "ticket_episodes_opened" ON "ticket_episodes" USING btree ("tenant_id","opened_at","id") INCLUDE (
  "closed_at", "is_merged", "channel", "queue_id", "user_id", "connection_id", "reason_id", "opened_by_kind", "ordinal", "transfers",
  "is_first_answer_met", "is_resolution_met", "accepted_at", "first_answered_at", "wait_s", "first_answer_s", "handling_s",
  "resolution_s", "paused_s", "wait_business_s", "first_answer_business_s", "handling_business_s", "resolution_business_s",
  "paused_business_s", "messages_in", "messages_out", "grade", "value");
--> statement-breakpoint
-- Null where there is nothing, which a sum passes over, and as narrow as it is kept: both make adding up cheaper.
DROP FUNCTION episode_parts;
--> statement-breakpoint
CREATE FUNCTION episode_parts(e ticket_episodes) RETURNS TABLE (
  tickets integer, receptive integer, closed integer, waiting integer, reopened integer, transferred integer,
  transfers integer, waits integer, wait_s integer, wait_business_s integer, first_answers integer, first_answer_s integer,
  first_answer_business_s integer, handlings integer, handling_s integer, handling_business_s integer, resolutions integer,
  resolution_s integer, resolution_business_s integer, paused_s integer, paused_business_s integer, first_answers_due integer,
  first_answers_met integer, resolutions_due integer, resolutions_met integer, unanswered integer, messages_in integer,
  messages_out integer, graded integer, grade integer, valued integer, value bigint
) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT
    1, (e.opened_by_kind = 'contact')::int, (e.closed_at IS NOT NULL)::int,
    (e.closed_at IS NULL AND e.accepted_at IS NULL)::int, (e.ordinal > 1)::int, (e.transfers > 0)::int, e.transfers,
    (e.wait_s IS NOT NULL)::int, e.wait_s, e.wait_business_s, (e.first_answer_s IS NOT NULL)::int, e.first_answer_s,
    e.first_answer_business_s, (e.handling_s IS NOT NULL)::int, e.handling_s, e.handling_business_s,
    (e.resolution_s IS NOT NULL)::int, e.resolution_s, e.resolution_business_s, e.paused_s, e.paused_business_s,
    (e.is_first_answer_met IS NOT NULL)::int, e.is_first_answer_met::int, (e.is_resolution_met IS NOT NULL)::int,
    e.is_resolution_met::int, (e.closed_at IS NOT NULL AND e.opened_by_kind = 'contact' AND e.first_answered_at IS NULL)::int,
    e.messages_in, e.messages_out, (e.grade IS NOT NULL)::int, e.grade, (e.value IS NOT NULL)::int, e.value
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION add_episode_sums(added ticket_episodes[], removed ticket_episodes[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO episode_sums AS t (tenant_id, moment, dimension, hour, key,
      tickets, receptive, closed, waiting, reopened, transferred, transfers, waits, wait_s, wait_business_s, first_answers,
      first_answer_s, first_answer_business_s, handlings, handling_s, handling_business_s, resolutions, resolution_s,
      resolution_business_s, paused_s, paused_business_s, first_answers_due, first_answers_met, resolutions_due,
      resolutions_met, unanswered, messages_in, messages_out, graded, grade, valued, value)
  SELECT * FROM (
    SELECT (c.e).tenant_id, m.moment, k.dimension, date_trunc('hour', m.at, 'UTC') AS hour, k.key,
      sum(c.sign * p.tickets) AS tickets, sum(c.sign * p.receptive) AS receptive, sum(c.sign * p.closed) AS closed,
      sum(c.sign * p.waiting) AS waiting, sum(c.sign * p.reopened) AS reopened, sum(c.sign * p.transferred) AS transferred,
      sum(c.sign * p.transfers) AS transfers, sum(c.sign * p.waits) AS waits, coalesce(sum(c.sign * p.wait_s), 0) AS wait_s,
      coalesce(sum(c.sign * p.wait_business_s), 0) AS wait_business_s, sum(c.sign * p.first_answers) AS first_answers,
      coalesce(sum(c.sign * p.first_answer_s), 0) AS first_answer_s, coalesce(sum(c.sign * p.first_answer_business_s), 0) AS first_answer_business_s,
      sum(c.sign * p.handlings) AS handlings, coalesce(sum(c.sign * p.handling_s), 0) AS handling_s,
      coalesce(sum(c.sign * p.handling_business_s), 0) AS handling_business_s, sum(c.sign * p.resolutions) AS resolutions,
      coalesce(sum(c.sign * p.resolution_s), 0) AS resolution_s, coalesce(sum(c.sign * p.resolution_business_s), 0) AS resolution_business_s,
      coalesce(sum(c.sign * p.paused_s), 0) AS paused_s, coalesce(sum(c.sign * p.paused_business_s), 0) AS paused_business_s,
      sum(c.sign * p.first_answers_due) AS first_answers_due, coalesce(sum(c.sign * p.first_answers_met), 0) AS first_answers_met,
      sum(c.sign * p.resolutions_due) AS resolutions_due, coalesce(sum(c.sign * p.resolutions_met), 0) AS resolutions_met,
      sum(c.sign * p.unanswered) AS unanswered, coalesce(sum(c.sign * p.messages_in), 0) AS messages_in,
      coalesce(sum(c.sign * p.messages_out), 0) AS messages_out, sum(c.sign * p.graded) AS graded, coalesce(sum(c.sign * p.grade), 0) AS grade,
      sum(c.sign * p.valued) AS valued, coalesce(sum(c.sign * p.value), 0) AS value
    FROM (SELECT a AS e, 1 AS sign FROM unnest(added) a UNION ALL SELECT r, -1 FROM unnest(removed) r) c,
      LATERAL (SELECT * FROM episode_parts(c.e) OFFSET 0) p, episode_keys(c.e) k,
      LATERAL (VALUES ('opened', (c.e).opened_at), ('closed', (c.e).closed_at)) m(moment, at)
    WHERE NOT (c.e).is_merged AND m.at IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5) d
  WHERE (
    d.tickets, d.receptive, d.closed, d.waiting, d.reopened, d.transferred, d.transfers, d.waits, d.wait_s, d.wait_business_s,
    d.first_answers, d.first_answer_s, d.first_answer_business_s, d.handlings, d.handling_s, d.handling_business_s,
    d.resolutions, d.resolution_s, d.resolution_business_s, d.paused_s, d.paused_business_s, d.first_answers_due,
    d.first_answers_met, d.resolutions_due, d.resolutions_met, d.unanswered, d.messages_in, d.messages_out, d.graded, d.grade,
    d.valued, d.value)
    IS DISTINCT FROM (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (tenant_id, moment, dimension, hour, key) DO UPDATE SET
    tickets = t.tickets + excluded.tickets, receptive = t.receptive + excluded.receptive, closed = t.closed + excluded.closed,
    waiting = t.waiting + excluded.waiting, reopened = t.reopened + excluded.reopened,
    transferred = t.transferred + excluded.transferred, transfers = t.transfers + excluded.transfers,
    waits = t.waits + excluded.waits, wait_s = t.wait_s + excluded.wait_s,
    wait_business_s = t.wait_business_s + excluded.wait_business_s, first_answers = t.first_answers + excluded.first_answers,
    first_answer_s = t.first_answer_s + excluded.first_answer_s,
    first_answer_business_s = t.first_answer_business_s + excluded.first_answer_business_s,
    handlings = t.handlings + excluded.handlings, handling_s = t.handling_s + excluded.handling_s,
    handling_business_s = t.handling_business_s + excluded.handling_business_s,
    resolutions = t.resolutions + excluded.resolutions, resolution_s = t.resolution_s + excluded.resolution_s,
    resolution_business_s = t.resolution_business_s + excluded.resolution_business_s,
    paused_s = t.paused_s + excluded.paused_s, paused_business_s = t.paused_business_s + excluded.paused_business_s,
    first_answers_due = t.first_answers_due + excluded.first_answers_due,
    first_answers_met = t.first_answers_met + excluded.first_answers_met,
    resolutions_due = t.resolutions_due + excluded.resolutions_due,
    resolutions_met = t.resolutions_met + excluded.resolutions_met, unanswered = t.unanswered + excluded.unanswered,
    messages_in = t.messages_in + excluded.messages_in, messages_out = t.messages_out + excluded.messages_out,
    graded = t.graded + excluded.graded, grade = t.grade + excluded.grade, valued = t.valued + excluded.valued,
    value = t.value + excluded.value
$$;
