DROP INDEX IF EXISTS "journal_waiting";--> statement-breakpoint
CREATE INDEX "contacts_number_end" ON "contacts" USING btree ("tenant_id",reverse("number") collate "C") WHERE "contacts"."number" is not null and "contacts"."merged_into_id" is null;
--> statement-breakpoint
-- Messages with these words, newest first, one piece of time after the other, until there are `max`, none are left, or
-- the time is up: then a last row says how far it came. It begins with an hour; each next piece is the largest, a step more
-- at most, that should end in time, as the last one took so long for what it holds (`seq` tells about how much that is).
-- All the rest comes at once where there is time for it. A condition on `created_at` alone would call in the other index.
CREATE OR REPLACE FUNCTION find_messages(pattern text, max integer, budget_ms integer, since timestamptz DEFAULT '-infinity',
  before timestamptz DEFAULT 'infinity', of_ticket uuid DEFAULT NULL, of_contact uuid DEFAULT NULL)
RETURNS TABLE (id uuid, ticket_id uuid, created_at timestamptz, searched_to timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  words constant text := norm(pattern);
  deadline constant timestamptz := clock_timestamp() + budget_ms * interval '1 millisecond';
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
BEGIN
  WHILE missing > 0 LOOP
    started := clock_timestamp();
    SELECT m.created_at, m.seq INTO newest, place FROM messages m
      WHERE m.tenant_id = tenant AND m.created_at < before ORDER BY m.created_at DESC LIMIT 1;
    EXIT WHEN newest IS NULL OR newest < since;
    IF size > 0 AND took_ms * 500 < budget_ms THEN
      RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
        WHERE m.tenant_id = tenant AND norm(m.body) LIKE words AND NOT m.is_deleted
          AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
          AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
        ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
      EXIT;
    END IF;
    left_ms := extract(epoch FROM deadline - started) * 1000;
    FOR larger IN REVERSE least(5, size + 1) .. 0 LOOP
      size := larger;
      EXIT WHEN size = 0;
      slice := (message_slices(newest))[size];
      begins := to_timestamp(((slice % 100000000)::bigint << (3 * (size - 1))) * 3600);
      SELECT m.seq INTO edge FROM messages m WHERE m.tenant_id = tenant AND m.created_at < begins ORDER BY m.created_at DESC LIMIT 1;
      holds := abs(place - coalesce(edge, place)) + 1000;
      EXIT WHEN each_ms = 0 OR each_ms * holds <= left_ms;
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
  END LOOP;
END $$;
--> statement-breakpoint
-- Whose number has these seven digits or more where people begin to say it (from its start, the area or the subscriber's
-- own part, with or without the 9 before it) or at its end.
CREATE FUNCTION contacts_by_number(digits text) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  backwards constant text := reverse(digits);
  nines constant text := repeat('9', 20);
  after_nine constant text := CASE WHEN left(digits, 1) = '9' THEN substr(digits, 2) END;
BEGIN
  RETURN QUERY
    SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.merged_into_id IS NULL AND c.number IS NOT NULL
      AND reverse(c.number) COLLATE "C" BETWEEN backwards AND backwards || nines
    UNION SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.merged_into_id IS NULL AND c.number IS NOT NULL
      AND right(c.number, 8) BETWEEN digits AND digits || nines
    UNION SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.merged_into_id IS NULL AND c.number IS NOT NULL
      AND right(c.number, 8) BETWEEN after_nine AND after_nine || nines AND right(c.number, 9) LIKE '9%'
    UNION SELECT c.id FROM contacts c, unnest(ARRAY[digits, '55' || digits]) s(begins) WHERE c.tenant_id = tenant
      AND c.merged_into_id IS NULL AND c.number BETWEEN s.begins AND s.begins || nines;
END $$;
--> statement-breakpoint
-- Whose number it is; where it is nobody's, who has these signs anywhere.
CREATE OR REPLACE FUNCTION search_contacts(pattern text) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  digits constant text := substring(pattern from '^%([0-9]{7,})%$');
BEGIN
  IF digits IS NOT NULL THEN
    RETURN QUERY SELECT n.id FROM contacts_by_number(digits) n;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT c.id FROM contacts c
    WHERE c.tenant_id = tenant AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL;
END $$;
--> statement-breakpoint
-- Whoever is called so or has this number; where nobody does, whoever has these signs anywhere.
CREATE OR REPLACE FUNCTION find_contacts(words text, pattern text, max integer) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  begins constant text := contact_text(words);
  digits constant text := substring(pattern from '^%([0-9]{7,})%$');
BEGIN
  IF digits IS NOT NULL THEN
    RETURN QUERY SELECT n.id FROM contacts_by_number(digits) n LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  IF begins <> '' THEN
    RETURN QUERY SELECT w.contact_id FROM contact_words w
      WHERE w.tenant_id = tenant AND w.tail >= begins AND w.tail < begins || chr(1114111) LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT c.id FROM contacts c
    WHERE c.tenant_id = tenant AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL LIMIT max;
END $$;
ALTER FUNCTION contacts_by_number(text) OWNER TO balcao_platform;
REVOKE ALL ON FUNCTION contacts_by_number(text) FROM public;
GRANT EXECUTE ON FUNCTION contacts_by_number(text) TO balcao_app;
