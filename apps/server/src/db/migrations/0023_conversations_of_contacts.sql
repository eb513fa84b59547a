ALTER TABLE "contact_activity" ADD COLUMN "last_closed_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_activity" ADD COLUMN "tickets" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- How many conversations a contact had, and when one was last closed. One more is counted and a later closing is the later
-- one, whoever else does so too; what is opened again, moved or deleted is read anew, alone with the contact's row.
CREATE FUNCTION keep_conversations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  those uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE contact_activity a SET tickets = a.tickets + 1, last_closed_at = greatest(a.last_closed_at, NEW.closed_at)
      WHERE a.tenant_id = NEW.tenant_id AND a.contact_id = NEW.contact_id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.contact_id = OLD.contact_id AND NEW.closed_at >= coalesce(OLD.closed_at, 'epoch') THEN
    UPDATE contact_activity a SET last_closed_at = NEW.closed_at
      WHERE a.tenant_id = NEW.tenant_id AND a.contact_id = NEW.contact_id AND a.last_closed_at < NEW.closed_at;
    RETURN NULL;
  END IF;
  those := CASE WHEN TG_OP = 'DELETE' THEN ARRAY[OLD.contact_id] ELSE ARRAY[OLD.contact_id, NEW.contact_id] END;
  PERFORM FROM contact_activity a WHERE a.tenant_id = OLD.tenant_id AND a.contact_id = ANY (those) ORDER BY a.contact_id FOR NO KEY UPDATE;
  UPDATE contact_activity a SET tickets = n.tickets, last_closed_at = n.last_closed_at
    FROM unnest(those) AS c(id), LATERAL (SELECT count(*)::int AS tickets, coalesce(max(t.closed_at), 'epoch') AS last_closed_at
      FROM tickets t WHERE t.tenant_id = OLD.tenant_id AND t.contact_id = c.id) n
    WHERE a.tenant_id = OLD.tenant_id AND a.contact_id = c.id;
  RETURN NULL;
END $$;
CREATE TRIGGER conversations_first AFTER INSERT OR DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION keep_conversations();
CREATE TRIGGER conversations_later AFTER UPDATE OF closed_at, contact_id ON tickets FOR EACH ROW
  WHEN (NEW.closed_at IS DISTINCT FROM OLD.closed_at OR NEW.contact_id <> OLD.contact_id) EXECUTE FUNCTION keep_conversations();
--> statement-breakpoint
UPDATE contact_activity a SET tickets = m.tickets, last_closed_at = coalesce(m.at, 'epoch')
  FROM (SELECT tenant_id, contact_id, count(*) AS tickets, max(closed_at) AS at FROM tickets GROUP BY 1, 2) m
  WHERE m.tenant_id = a.tenant_id AND m.contact_id = a.contact_id;
--> statement-breakpoint
CREATE INDEX "contact_activity_closed" ON "contact_activity" USING btree ("tenant_id","last_closed_at","contact_id");--> statement-breakpoint
CREATE INDEX "contact_activity_tickets" ON "contact_activity" USING btree ("tenant_id","tickets","contact_id");--> statement-breakpoint
-- Whoever is looked for by the beginning of a number is told by the index alone.
DROP INDEX "contacts_number";--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_number" ON "contacts" USING btree ("tenant_id","number") INCLUDE ("id") WHERE "contacts"."number" is not null;--> statement-breakpoint
-- Whose name or e-mail is so, begins so or has this in it: by trigrams, which row security lets nobody else read.
CREATE FUNCTION contacts_called(field text, op text, said text, pattern text) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 5000 SET search_path = public AS $$
  SELECT c.id FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL
    AND CASE op
      WHEN 'is' THEN norm(CASE field WHEN 'name' THEN c.name ELSE c.email END) = (SELECT norm(said))
      WHEN 'begins' THEN starts_with(norm(CASE field WHEN 'name' THEN c.name ELSE c.email END), (SELECT norm(said)))
      -- Letters alone that stand in a text of name and number stand in the name.
      ELSE (field = 'name' AND c.email IS NULL AND said !~ '[^[:alpha:]]')
        OR position((SELECT norm(said)) IN norm(CASE field WHEN 'name' THEN c.name ELSE c.email END)) > 0 END
$$;
ALTER FUNCTION contacts_called(text, text, text, text) OWNER TO balcao_platform;
REVOKE ALL ON FUNCTION contacts_called(text, text, text, text) FROM public;
GRANT EXECUTE ON FUNCTION contacts_called(text, text, text, text) TO balcao_app;
