-- What is kept beside new contacts is reckoned for all of them at once: a function that the database cannot take into the
-- statement is set up anew for each contact, and `integer || text` was what kept it from being taken in.
CREATE OR REPLACE FUNCTION facet(tenant integer, kind text, value text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(tenant::text || ' ' || kind || ' ' || value, 0)
$$;
--> statement-breakpoint
-- A table of one row, since only those are taken in. Without OFFSET 0 the tags of the whole company would be read to ask of one contact.
DROP FUNCTION facets_of_contact(contacts);
--> statement-breakpoint
CREATE FUNCTION facets_of_contact(c contacts) RETURNS TABLE (facets bigint[]) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN c.merged_into_id IS NOT NULL THEN '{}' ELSE ARRAY(
    SELECT facet(c.tenant_id, f.kind, f.value) FROM (
      SELECT 'tag' AS kind, x.tag_id::text AS value FROM contact_tags x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id
      UNION ALL SELECT 'tagged', EXISTS (SELECT FROM contact_tags x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id OFFSET 0)::text
      UNION ALL SELECT 'owner', x.user_id::text FROM contact_wallets x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id
      UNION ALL SELECT 'owned', EXISTS (SELECT FROM contact_wallets x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id OFFSET 0)::text
      UNION ALL SELECT 'value', x.key || '=' || x.value FROM contact_values x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id
        AND (x.key IN ('document', 'city', 'state') OR x.key LIKE 'extra.%') AND length(x.value) <= 60
      UNION ALL SELECT 'lane', c.lane_id::text WHERE c.lane_id IS NOT NULL
      UNION ALL SELECT 'staged', (c.lane_id IS NOT NULL)::text
      UNION ALL SELECT 'import', c.import_id::text WHERE c.import_id IS NOT NULL
      UNION ALL SELECT 'group', '' WHERE c.is_group
      UNION ALL SELECT 'ddd', substr(c.number, 3, 2) WHERE c.number LIKE '55%' AND length(c.number) IN (12, 13)
    ) f ORDER BY 1) END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION add_contact_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_facets (tenant_id, contact_id, facets)
    SELECT c.tenant_id, c.id, f.facets FROM added a JOIN contacts c ON c.tenant_id = a.tenant_id AND c.id = a.id, facets_of_contact(c) f;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_contact_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contact_facets f SET facets = n.facets FROM facets_of_contact(NEW) n
    WHERE f.tenant_id = NEW.tenant_id AND f.contact_id = NEW.id AND f.facets <> n.facets;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Words of more than 200 letters may end alike.
CREATE OR REPLACE FUNCTION add_beside_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_activity (tenant_id, contact_id) SELECT c.tenant_id, c.id FROM added c;
  INSERT INTO contact_summary (tenant_id, contact_id, is_tagged, is_owned) SELECT c.tenant_id, c.id,
      EXISTS (SELECT FROM contact_tags x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id OFFSET 0),
      EXISTS (SELECT FROM contact_wallets x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id OFFSET 0)
    FROM added c;
  INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
    SELECT DISTINCT ON (c.tenant_id, c.id, w.tail) c.tenant_id, c.id, w.tail, w.word, c.search
    FROM added c, words_of_contact(c.name, c.email) w WHERE c.merged_into_id IS NULL
    ORDER BY c.tenant_id, c.id, w.tail, w.word;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Who has the number of the tag or of the owner already, has all of it: it came with them.
CREATE OR REPLACE FUNCTION write_contacts_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF TG_TABLE_NAME = 'contact_tags' THEN
      IF NOT EXISTS (SELECT FROM changed l JOIN contact_facets f ON f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id
        WHERE facet(l.tenant_id, 'tag', l.tag_id::text) <> ALL (f.facets)) THEN RETURN NULL; END IF;
    ELSIF NOT EXISTS (SELECT FROM changed l JOIN contact_facets f ON f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id
        WHERE facet(l.tenant_id, 'owner', l.user_id::text) <> ALL (f.facets)) THEN RETURN NULL; END IF;
  END IF;
  UPDATE contacts c SET updated_at = c.updated_at FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
    WHERE c.tenant_id = l.tenant_id AND c.id = l.contact_id AND c.xmin <> pg_current_xact_id()::xid;
  IF TG_TABLE_NAME = 'contact_tags' THEN
    UPDATE contact_summary a SET is_tagged = NOT a.is_tagged FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
      WHERE a.tenant_id = l.tenant_id AND a.contact_id = l.contact_id AND a.is_tagged <> EXISTS (
        SELECT FROM contact_tags x WHERE x.tenant_id = l.tenant_id AND x.contact_id = l.contact_id OFFSET 0);
  ELSE
    UPDATE contact_summary a SET is_owned = NOT a.is_owned FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
      WHERE a.tenant_id = l.tenant_id AND a.contact_id = l.contact_id AND a.is_owned <> EXISTS (
        SELECT FROM contact_wallets x WHERE x.tenant_id = l.tenant_id AND x.contact_id = l.contact_id OFFSET 0);
  END IF;
  UPDATE contact_facets f SET facets = n.facets
    FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l JOIN contacts c ON c.tenant_id = l.tenant_id AND c.id = l.contact_id,
      LATERAL (SELECT x.facets FROM facets_of_contact(c) x OFFSET 0) n
    WHERE f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id AND f.facets <> n.facets;
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER INDEX "contact_facets_all" RESET (fastupdate);
--> statement-breakpoint
ALTER INDEX "contact_facets_all" SET (gin_pending_list_limit = 128);
--> statement-breakpoint
ALTER INDEX "contacts_search" SET (gin_pending_list_limit = 1024);
