CREATE TABLE "episode_sums" (
	"tenant_id" integer NOT NULL,
	"moment" text NOT NULL,
	"dimension" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"key" text NOT NULL,
	"tickets" integer NOT NULL,
	"receptive" integer NOT NULL,
	"closed" integer NOT NULL,
	"waiting" integer NOT NULL,
	"reopened" integer NOT NULL,
	"transferred" integer NOT NULL,
	"transfers" integer NOT NULL,
	"waits" integer NOT NULL,
	"wait_s" bigint NOT NULL,
	"wait_business_s" bigint NOT NULL,
	"first_answers" integer NOT NULL,
	"first_answer_s" bigint NOT NULL,
	"first_answer_business_s" bigint NOT NULL,
	"handlings" integer NOT NULL,
	"handling_s" bigint NOT NULL,
	"handling_business_s" bigint NOT NULL,
	"resolutions" integer NOT NULL,
	"resolution_s" bigint NOT NULL,
	"resolution_business_s" bigint NOT NULL,
	"paused_s" bigint NOT NULL,
	"paused_business_s" bigint NOT NULL,
	"first_answers_due" integer NOT NULL,
	"first_answers_met" integer NOT NULL,
	"resolutions_due" integer NOT NULL,
	"resolutions_met" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"messages_in" bigint NOT NULL,
	"messages_out" bigint NOT NULL,
	"graded" integer NOT NULL,
	"grade" integer NOT NULL,
	"valued" integer NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "episode_sums_tenant_id_moment_dimension_hour_key_pk" PRIMARY KEY("tenant_id","moment","dimension","hour","key")
);
--> statement-breakpoint
DROP INDEX "ticket_episodes_of_contact";--> statement-breakpoint
CREATE INDEX "ticket_episodes_of_contact" ON "ticket_episodes" USING btree ("tenant_id","contact_id","opened_at") WHERE not "ticket_episodes"."is_merged";
--> statement-breakpoint
-- Rows of this hour are written again and again: room for them on their page.
ALTER TABLE "episode_sums" SET (fillfactor = 80);
--> statement-breakpoint
-- What an episode adds to each sum, and under which names: read by whoever counts episodes, kept or not.
CREATE FUNCTION episode_parts(e ticket_episodes) RETURNS TABLE (
  tickets integer, receptive integer, closed integer, waiting integer, reopened integer, transferred integer,
  transfers integer, waits integer, wait_s bigint, wait_business_s bigint, first_answers integer, first_answer_s bigint,
  first_answer_business_s bigint, handlings integer, handling_s bigint, handling_business_s bigint, resolutions integer,
  resolution_s bigint, resolution_business_s bigint, paused_s bigint, paused_business_s bigint, first_answers_due integer,
  first_answers_met integer, resolutions_due integer, resolutions_met integer, unanswered integer, messages_in bigint,
  messages_out bigint, graded integer, grade integer, valued integer, value bigint
) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT
    1, (e.opened_by_kind = 'contact')::int, (e.closed_at IS NOT NULL)::int,
    (e.closed_at IS NULL AND e.accepted_at IS NULL)::int, (e.ordinal > 1)::int, (e.transfers > 0)::int, e.transfers,
    (e.wait_s IS NOT NULL)::int, coalesce(e.wait_s, 0), coalesce(e.wait_business_s, 0), (e.first_answer_s IS NOT NULL)::int,
    coalesce(e.first_answer_s, 0), coalesce(e.first_answer_business_s, 0), (e.handling_s IS NOT NULL)::int,
    coalesce(e.handling_s, 0), coalesce(e.handling_business_s, 0), (e.resolution_s IS NOT NULL)::int,
    coalesce(e.resolution_s, 0), coalesce(e.resolution_business_s, 0), coalesce(e.paused_s, 0),
    coalesce(e.paused_business_s, 0), (e.is_first_answer_met IS NOT NULL)::int, coalesce(e.is_first_answer_met, false)::int,
    (e.is_resolution_met IS NOT NULL)::int, coalesce(e.is_resolution_met, false)::int,
    (e.closed_at IS NOT NULL AND e.opened_by_kind = 'contact' AND e.first_answered_at IS NULL)::int,
    coalesce(e.messages_in, 0), coalesce(e.messages_out, 0), (e.grade IS NOT NULL)::int, coalesce(e.grade, 0),
    (e.value IS NOT NULL)::int, coalesce(e.value, 0)
$$;
--> statement-breakpoint
CREATE FUNCTION episode_keys(e ticket_episodes) RETURNS TABLE (dimension text, key text) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 9 AS $$
  SELECT * FROM unnest(
    ARRAY['all', 'queue', 'agent', 'reason', 'channel', 'connection', 'grade', 'status']
      || array_fill('tag'::text, ARRAY[greatest(1, cardinality(e.tag_ids))]),
    ARRAY['', coalesce(e.queue_id::text, ''), coalesce(e.user_id::text, ''), coalesce(e.reason_id::text, ''), e.channel,
      e.connection_id::text, coalesce(e.grade::text, ''),
      CASE WHEN e.closed_at IS NOT NULL THEN 'closed' WHEN e.accepted_at IS NOT NULL THEN 'open' ELSE 'pending' END]
      || CASE WHEN e.tag_ids = '{}' THEN ARRAY[''] ELSE e.tag_ids::text[] END)
$$;
--> statement-breakpoint
-- Adds what some episodes are and takes away what they were: in the order of the key, so that two at once wait and do not lock each other.
CREATE FUNCTION add_episode_sums(added ticket_episodes[], removed ticket_episodes[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO episode_sums AS t (tenant_id, moment, dimension, hour, key,
      tickets, receptive, closed, waiting, reopened, transferred, transfers, waits, wait_s, wait_business_s, first_answers,
      first_answer_s, first_answer_business_s, handlings, handling_s, handling_business_s, resolutions, resolution_s,
      resolution_business_s, paused_s, paused_business_s, first_answers_due, first_answers_met, resolutions_due,
      resolutions_met, unanswered, messages_in, messages_out, graded, grade, valued, value)
  SELECT * FROM (
    SELECT (c.e).tenant_id, m.moment, k.dimension, date_trunc('hour', m.at, 'UTC') AS hour, k.key,
      sum(c.sign * p.tickets) AS tickets, sum(c.sign * p.receptive) AS receptive, sum(c.sign * p.closed) AS closed,
      sum(c.sign * p.waiting) AS waiting, sum(c.sign * p.reopened) AS reopened, sum(c.sign * p.transferred) AS transferred,
      sum(c.sign * p.transfers) AS transfers, sum(c.sign * p.waits) AS waits, sum(c.sign * p.wait_s) AS wait_s,
      sum(c.sign * p.wait_business_s) AS wait_business_s, sum(c.sign * p.first_answers) AS first_answers,
      sum(c.sign * p.first_answer_s) AS first_answer_s, sum(c.sign * p.first_answer_business_s) AS first_answer_business_s,
      sum(c.sign * p.handlings) AS handlings, sum(c.sign * p.handling_s) AS handling_s,
      sum(c.sign * p.handling_business_s) AS handling_business_s, sum(c.sign * p.resolutions) AS resolutions,
      sum(c.sign * p.resolution_s) AS resolution_s, sum(c.sign * p.resolution_business_s) AS resolution_business_s,
      sum(c.sign * p.paused_s) AS paused_s, sum(c.sign * p.paused_business_s) AS paused_business_s,
      sum(c.sign * p.first_answers_due) AS first_answers_due, sum(c.sign * p.first_answers_met) AS first_answers_met,
      sum(c.sign * p.resolutions_due) AS resolutions_due, sum(c.sign * p.resolutions_met) AS resolutions_met,
      sum(c.sign * p.unanswered) AS unanswered, sum(c.sign * p.messages_in) AS messages_in,
      sum(c.sign * p.messages_out) AS messages_out, sum(c.sign * p.graded) AS graded, sum(c.sign * p.grade) AS grade,
      sum(c.sign * p.valued) AS valued, sum(c.sign * p.value) AS value
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
--> statement-breakpoint
CREATE FUNCTION keep_episode_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM add_episode_sums(ARRAY(SELECT a::ticket_episodes FROM added a), '{}') WHERE EXISTS (SELECT FROM added);
  ELSIF TG_OP = 'DELETE' THEN PERFORM add_episode_sums('{}', ARRAY(SELECT r::ticket_episodes FROM removed r)) WHERE EXISTS (SELECT FROM removed);
  ELSE PERFORM add_episode_sums(ARRAY(SELECT a::ticket_episodes FROM added a), ARRAY(SELECT r::ticket_episodes FROM removed r)) WHERE EXISTS (SELECT FROM added);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER sums_added AFTER INSERT ON ticket_episodes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_episode_sums();
CREATE TRIGGER sums_changed AFTER UPDATE ON ticket_episodes REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_episode_sums();
CREATE TRIGGER sums_removed AFTER DELETE ON ticket_episodes REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_episode_sums();
--> statement-breakpoint
-- All of a company's, day by day; whoever changes an episode meanwhile waits.
CREATE FUNCTION make_episode_sums(tenant integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  day timestamptz;
BEGIN
  LOCK TABLE ticket_episodes IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM episode_sums WHERE tenant_id = tenant;
  FOR day IN SELECT DISTINCT date_trunc('day', e.opened_at, 'UTC') FROM ticket_episodes e WHERE e.tenant_id = tenant LOOP
    PERFORM add_episode_sums(ARRAY(SELECT e FROM ticket_episodes e
      WHERE e.tenant_id = tenant AND e.opened_at >= day AND e.opened_at < day + interval '1 day'), '{}');
  END LOOP;
END $$;
--> statement-breakpoint
SELECT make_episode_sums(t.id) FROM tenants t WHERE EXISTS (SELECT FROM ticket_episodes e WHERE e.tenant_id = t.id);
