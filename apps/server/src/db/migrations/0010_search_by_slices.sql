-- The pieces of time a message lies in: of one hour, 8, 64, 512 and 4,096. As keys of the search index they let a search
-- look at one piece alone, whatever its size: what a word costs then follows from the piece and not from the table.
CREATE FUNCTION message_slices(at timestamptz) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE hour constant integer := floor(extract(epoch FROM at) / 3600);
BEGIN
  RETURN ARRAY[hour, 100000000 + (hour >> 3), 200000000 + (hour >> 6), 300000000 + (hour >> 9), 400000000 + (hour >> 12)];
END $$;
--> statement-breakpoint
DROP INDEX "messages_search";--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("tenant_id",message_slices("created_at"),norm("body") gin_trgm_ops) WITH (gin_pending_list_limit=256);--> statement-breakpoint
DROP FUNCTION find_messages(text, integer);--> statement-breakpoint
-- Messages with these words, newest first, one piece of time after the other, until there are `max`, none are left, or
-- the time is up: then a last row says how far it came. It begins with an hour. The rows about 200 back tell which piece
-- holds some 60,000; a rare word takes a larger one, as each costs it little, or all the rest where there is time for it.
-- A condition on `created_at` alone would call in the other index.
CREATE FUNCTION find_messages(pattern text, max integer, budget_ms integer, since timestamptz DEFAULT '-infinity',
  before timestamptz DEFAULT 'infinity', of_ticket uuid DEFAULT NULL, of_contact uuid DEFAULT NULL)
RETURNS TABLE (id uuid, ticket_id uuid, created_at timestamptz, searched_to timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  words constant text := norm(pattern);
  deadline constant timestamptz := clock_timestamp() + budget_ms * interval '1 millisecond';
  newest timestamptz;
  further timestamptz;
  fitting integer;
  size integer := 0;
  slice integer;
  missing integer := max;
  found_here integer;
  started timestamptz;
  took_ms double precision := 0;
BEGIN
  WHILE missing > 0 LOOP
    started := clock_timestamp();
    SELECT max(x.created_at), CASE WHEN count(*) = 200 THEN min(x.created_at) END INTO newest, further FROM (
      SELECT m.created_at FROM messages m WHERE m.tenant_id = tenant AND m.created_at < before ORDER BY m.created_at DESC LIMIT 200) x;
    EXIT WHEN newest IS NULL OR newest < since;
    IF size > 0 AND started > deadline THEN
      RETURN QUERY SELECT NULL::uuid, NULL::uuid, NULL::timestamptz, before;
      EXIT;
    END IF;
    IF size > 0 AND took_ms * 500 < budget_ms THEN
      RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
        WHERE m.tenant_id = tenant AND norm(m.body) LIKE words AND NOT m.is_deleted
          AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
          AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
        ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
      EXIT;
    END IF;
    fitting := CASE WHEN further IS NULL THEN 5
      ELSE 1 + round(log(8, greatest(0.001, 320 * extract(epoch FROM newest - further) / 3600))) END;
    size := greatest(1, least(5, size + 1, fitting + CASE WHEN took_ms < 10 THEN 1 ELSE 0 END, CASE WHEN took_ms > 40 THEN size - 1 ELSE 5 END));
    slice := (message_slices(newest))[size];
    RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
      WHERE m.tenant_id = tenant AND message_slices(m.created_at) @> ARRAY[slice] AND norm(m.body) LIKE words AND NOT m.is_deleted
        AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
        AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
      ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
    GET DIAGNOSTICS found_here = ROW_COUNT;
    missing := missing - found_here;
    before := to_timestamp(((slice % 100000000)::bigint << (3 * (size - 1))) * 3600);
    took_ms := extract(epoch FROM clock_timestamp() - started) * 1000;
  END LOOP;
END $$;--> statement-breakpoint
ALTER FUNCTION find_messages(text, integer, integer, timestamptz, timestamptz, uuid, uuid) OWNER TO balcao_platform;--> statement-breakpoint
REVOKE ALL ON FUNCTION find_messages(text, integer, integer, timestamptz, timestamptz, uuid, uuid) FROM public;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION find_messages(text, integer, integer, timestamptz, timestamptz, uuid, uuid) TO balcao_app;
