-- As before, but each step is at most so many times what was seen: a word that nobody wrote in the last hour may be the
-- most common of all, and the whole at once took a second.
CREATE OR REPLACE FUNCTION find_messages(pattern text, max integer, budget_ms integer, since timestamptz DEFAULT '-infinity',
  before timestamptz DEFAULT 'infinity', of_ticket uuid DEFAULT NULL, of_contact uuid DEFAULT NULL)
RETURNS TABLE (id uuid, ticket_id uuid, created_at timestamptz, searched_to timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  words constant text := norm(pattern);
  deadline constant timestamptz := clock_timestamp() + budget_ms * interval '1 millisecond';
  -- Of twenty rows from all over the table.
  owns_most constant boolean := (SELECT avg((m.tenant_id = tenant)::int) > 0.5 FROM messages m WHERE m.ctid = ANY (ARRAY(
    SELECT format('(%s,1)', c.relpages::bigint * n / 20)::tid FROM pg_class c, generate_series(0, 19) n WHERE c.oid = 'messages'::regclass)));
  oldest constant bigint := (SELECT m.seq FROM messages m WHERE m.tenant_id = tenant AND m.created_at >= since ORDER BY m.created_at LIMIT 1);
  newest timestamptz;
  place bigint;
  edge bigint;
  size integer := 0;
  slice integer;
  begins timestamptz;
  holds double precision;
  missing integer := max;
  found_here integer;
  started timestamptz;
  left_ms double precision;
  took_ms double precision := 0;
  each_ms double precision := 0;
  -- What was looked through tells of so many times as much, and not of everything: the last hour may be of another kind.
  grows constant integer := 32;
  seen double precision := 0;
BEGIN
  WHILE missing > 0 LOOP
    started := clock_timestamp();
    SELECT m.created_at, m.seq INTO newest, place FROM messages m
      WHERE m.tenant_id = tenant AND m.created_at < before ORDER BY m.created_at DESC LIMIT 1;
    EXIT WHEN newest IS NULL OR newest < since;
    left_ms := extract(epoch FROM deadline - started) * 1000;
    IF size > 0 AND each_ms * (abs(place - oldest) + 1000) <= left_ms * 2 AND abs(place - oldest) <= greatest(seen, 1000) * grows THEN
      IF owns_most THEN
        RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
          WHERE m.tenant_id + 0 = tenant AND norm(m.body) LIKE words AND NOT m.is_deleted
            AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
            AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
          ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
        EXIT;
      END IF;
      RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
        WHERE m.tenant_id = tenant AND norm(m.body) LIKE words AND NOT m.is_deleted
          AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
          AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
        ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
      EXIT;
    END IF;
    FOR larger IN REVERSE least(5, size + 1) .. 0 LOOP
      size := larger;
      EXIT WHEN size = 0;
      slice := (message_slices(newest))[size];
      begins := to_timestamp(((slice % 100000000)::bigint << (3 * (size - 1))) * 3600);
      SELECT m.seq INTO edge FROM messages m WHERE m.tenant_id = tenant AND m.created_at < begins ORDER BY m.created_at DESC LIMIT 1;
      holds := abs(place - coalesce(edge, place)) + 1000;
      EXIT WHEN each_ms = 0 OR (each_ms * holds <= left_ms AND (size = 1 OR holds - 1000 <= greatest(seen, 1000) * grows));
    END LOOP;
    IF size = 0 THEN
      RETURN QUERY SELECT NULL::uuid, NULL::uuid, NULL::timestamptz, before;
      EXIT;
    END IF;
    RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
      WHERE m.tenant_id = tenant AND message_slices(m.created_at) @> ARRAY[slice] AND norm(m.body) LIKE words AND NOT m.is_deleted
        AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
        AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
      ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
    GET DIAGNOSTICS found_here = ROW_COUNT;
    missing := missing - found_here;
    before := begins;
    took_ms := extract(epoch FROM clock_timestamp() - started) * 1000;
    each_ms := took_ms / holds;
    seen := seen + holds - 1000;
  END LOOP;
END $$;
