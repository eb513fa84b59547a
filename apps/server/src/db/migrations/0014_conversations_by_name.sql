DROP INDEX "contact_words_tail";--> statement-breakpoint
ALTER TABLE "contact_words" ADD COLUMN "heard" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "contact_words_tail" ON "contact_words" USING btree ("tenant_id","tail","search","contact_id","heard");--> statement-breakpoint
-- A stretch of thirty days.
CREATE FUNCTION month_of(at timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT floor(extract(epoch FROM at) / 2592000)::integer
$$;
--> statement-breakpoint
-- Once a month for each contact. The contact is held, so that no other name is written meanwhile with an older month.
CREATE FUNCTION keep_heard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  month constant integer := month_of(coalesce(NEW.last_message_at, NEW.created_at));
BEGIN
  PERFORM FROM contacts c WHERE c.tenant_id = NEW.tenant_id AND c.id = NEW.contact_id FOR SHARE;
  UPDATE contact_words w SET heard = month WHERE w.tenant_id = NEW.tenant_id AND w.contact_id = NEW.contact_id AND w.heard < month;
  RETURN NULL;
END $$;
CREATE TRIGGER heard_first AFTER INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION keep_heard();
CREATE TRIGGER heard_later AFTER UPDATE OF last_message_at, contact_id ON tickets FOR EACH ROW
  WHEN (month_of(coalesce(NEW.last_message_at, NEW.created_at)) > month_of(coalesce(OLD.last_message_at, OLD.created_at))
    OR NEW.contact_id <> OLD.contact_id)
  EXECUTE FUNCTION keep_heard();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_contact_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_words WHERE tenant_id = NEW.tenant_id AND contact_id = NEW.id;
  IF NEW.merged_into_id IS NULL THEN
    INSERT INTO contact_words (tenant_id, contact_id, tail, word, search, heard)
      SELECT NEW.tenant_id, NEW.id, w.tail, w.word, NEW.search, coalesce((SELECT max(month_of(coalesce(t.last_message_at, t.created_at)))
          FROM tickets t WHERE t.tenant_id = NEW.tenant_id AND t.contact_id = NEW.id), 0)
      FROM words_of_contact(NEW.name, NEW.email) w ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE contact_words w SET heard = m.heard FROM (SELECT tenant_id, contact_id, max(month_of(coalesce(last_message_at, created_at))) AS heard
  FROM tickets GROUP BY 1, 2) m WHERE m.tenant_id = w.tenant_id AND m.contact_id = w.contact_id;
--> statement-breakpoint
-- Whoever is called so or has this number; where nobody does, whoever has these signs anywhere, of a number those behind
-- its zeros. Beside each the month they were last heard of, where the words told it.
DROP FUNCTION find_contacts(text, text, integer);
CREATE FUNCTION find_contacts(words text, pattern text, max integer) RETURNS TABLE (id uuid, heard integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  begins constant text := contact_text(words);
  digits constant text := substring(pattern from '^%([0-9]{7,})%$');
  signs constant text := norm(regexp_replace(pattern, '^%0+(?=[0-9]{3,}%$)', '%'));
BEGIN
  IF digits IS NOT NULL THEN
    RETURN QUERY SELECT n.id, NULL::integer FROM contacts_by_number(digits) n LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  IF begins <> '' THEN
    RETURN QUERY SELECT w.contact_id, w.heard FROM contact_words w
      WHERE w.tenant_id = tenant AND w.tail >= begins AND w.tail < begins || chr(1114111) LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT c.id, NULL::integer FROM contacts c WHERE c.tenant_id = tenant AND c.search LIKE signs AND c.merged_into_id IS NULL LIMIT max;
END $$;
