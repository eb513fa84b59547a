-- Each message writes when its contact was heard of last: what else was kept in that row had four indexes of its own, and
-- each of them was written with it.
CREATE TABLE "contact_summary" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"last_closed_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL,
	"tickets" integer DEFAULT 0 NOT NULL,
	"is_tagged" boolean DEFAULT false NOT NULL,
	"is_owned" boolean DEFAULT false NOT NULL,
	CONSTRAINT "contact_summary_tenant_id_contact_id_pk" PRIMARY KEY("tenant_id","contact_id")
);
--> statement-breakpoint
INSERT INTO contact_summary (tenant_id, contact_id, last_closed_at, tickets, is_tagged, is_owned)
  SELECT tenant_id, contact_id, last_closed_at, tickets, is_tagged, is_owned FROM contact_activity;
--> statement-breakpoint
DROP INDEX "contact_activity_closed";--> statement-breakpoint
DROP INDEX "contact_activity_tickets";--> statement-breakpoint
DROP INDEX "contact_activity_untagged";--> statement-breakpoint
DROP INDEX "contact_activity_unowned";--> statement-breakpoint
CREATE INDEX "contact_summary_closed" ON "contact_summary" USING btree ("tenant_id","last_closed_at","contact_id");--> statement-breakpoint
CREATE INDEX "contact_summary_tickets" ON "contact_summary" USING btree ("tenant_id","tickets","contact_id");--> statement-breakpoint
CREATE INDEX "contact_summary_untagged" ON "contact_summary" USING btree ("tenant_id","contact_id") WHERE not "contact_summary"."is_tagged";--> statement-breakpoint
CREATE INDEX "contact_summary_unowned" ON "contact_summary" USING btree ("tenant_id","contact_id") WHERE not "contact_summary"."is_owned";--> statement-breakpoint
ALTER TABLE "contact_activity" DROP COLUMN "last_closed_at";--> statement-breakpoint
ALTER TABLE "contact_activity" DROP COLUMN "tickets";--> statement-breakpoint
ALTER TABLE "contact_activity" DROP COLUMN "is_tagged";--> statement-breakpoint
ALTER TABLE "contact_activity" DROP COLUMN "is_owned";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION add_beside_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_activity (tenant_id, contact_id) SELECT c.tenant_id, c.id FROM added c;
  INSERT INTO contact_summary (tenant_id, contact_id, is_tagged, is_owned) SELECT c.tenant_id, c.id,
      EXISTS (SELECT FROM contact_tags x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id),
      EXISTS (SELECT FROM contact_wallets x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id)
    FROM added c;
  INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
    SELECT c.tenant_id, c.id, w.tail, w.word, c.search FROM added c, words_of_contact(c.name, c.email) w
    WHERE c.merged_into_id IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION write_contacts_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contacts c SET updated_at = c.updated_at FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
    WHERE c.tenant_id = l.tenant_id AND c.id = l.contact_id AND c.xmin <> pg_current_xact_id()::xid;
  IF TG_TABLE_NAME = 'contact_tags' THEN
    UPDATE contact_summary a SET is_tagged = NOT a.is_tagged FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
      WHERE a.tenant_id = l.tenant_id AND a.contact_id = l.contact_id AND a.is_tagged <> EXISTS (
        SELECT FROM contact_tags x WHERE x.tenant_id = l.tenant_id AND x.contact_id = l.contact_id);
    -- Who has the number of the tag already has them all.
    IF TG_OP = 'INSERT' AND NOT EXISTS (SELECT FROM changed l JOIN contact_facets f ON f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id
        WHERE facet(l.tenant_id, 'tag', l.tag_id::text) <> ALL (f.facets)) THEN RETURN NULL; END IF;
  ELSE
    UPDATE contact_summary a SET is_owned = NOT a.is_owned FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
      WHERE a.tenant_id = l.tenant_id AND a.contact_id = l.contact_id AND a.is_owned <> EXISTS (
        SELECT FROM contact_wallets x WHERE x.tenant_id = l.tenant_id AND x.contact_id = l.contact_id);
    IF TG_OP = 'INSERT' AND NOT EXISTS (SELECT FROM changed l JOIN contact_facets f ON f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id
        WHERE facet(l.tenant_id, 'owner', l.user_id::text) <> ALL (f.facets)) THEN RETURN NULL; END IF;
  END IF;
  UPDATE contact_facets f SET facets = n.facets
    FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l JOIN contacts c ON c.tenant_id = l.tenant_id AND c.id = l.contact_id,
      LATERAL (SELECT facets_of_contact(c) AS facets OFFSET 0) n
    WHERE f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id AND f.facets <> n.facets;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_conversations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  those uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE contact_summary a SET tickets = a.tickets + 1, last_closed_at = greatest(a.last_closed_at, NEW.closed_at)
      WHERE a.tenant_id = NEW.tenant_id AND a.contact_id = NEW.contact_id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.contact_id = OLD.contact_id AND NEW.closed_at >= coalesce(OLD.closed_at, 'epoch') THEN
    UPDATE contact_summary a SET last_closed_at = NEW.closed_at
      WHERE a.tenant_id = NEW.tenant_id AND a.contact_id = NEW.contact_id AND a.last_closed_at < NEW.closed_at;
    RETURN NULL;
  END IF;
  those := CASE WHEN TG_OP = 'DELETE' THEN ARRAY[OLD.contact_id] ELSE ARRAY[OLD.contact_id, NEW.contact_id] END;
  PERFORM FROM contact_summary a WHERE a.tenant_id = OLD.tenant_id AND a.contact_id = ANY (those) ORDER BY a.contact_id FOR NO KEY UPDATE;
  UPDATE contact_summary a SET tickets = n.tickets, last_closed_at = n.last_closed_at
    FROM unnest(those) AS c(id), LATERAL (SELECT count(*)::int AS tickets, coalesce(max(t.closed_at), 'epoch') AS last_closed_at
      FROM tickets t WHERE t.tenant_id = OLD.tenant_id AND t.contact_id = c.id AND NOT t.is_hidden) n
    WHERE a.tenant_id = OLD.tenant_id AND a.contact_id = c.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION drop_beside_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_activity WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_summary WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_facets WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_values WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_words WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Whoever filled the list of what the search index has not sorted in yet sorted it in while a customer waited. A worker does
-- so every second; the list may be longer until then. One at a time, and only whoever owns the index may.
ALTER INDEX messages_search SET (gin_pending_list_limit = 1024);
CREATE FUNCTION sort_messages_in() RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  SELECT CASE WHEN pg_try_advisory_xact_lock(7220002) THEN gin_clean_pending_list('messages_search')::int ELSE 0 END
$$;
REVOKE ALL ON FUNCTION sort_messages_in() FROM public;
GRANT EXECUTE ON FUNCTION sort_messages_in() TO balcao_platform;
--> statement-breakpoint
-- Asked of each message, it wrote the contact's row, too: its ticket refers to the same contact and cannot go before it.
ALTER TABLE "messages" DROP CONSTRAINT "messages_tenant_id_contact_id_contacts_tenant_id_id_fk";
