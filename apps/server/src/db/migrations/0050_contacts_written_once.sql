-- What is kept beside a contact that comes with its tags and owners in one statement is written once, as it is.
CREATE OR REPLACE FUNCTION add_beside_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_activity (tenant_id, contact_id, is_tagged, is_owned) SELECT c.tenant_id, c.id,
      EXISTS (SELECT FROM contact_tags x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id),
      EXISTS (SELECT FROM contact_wallets x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id)
    FROM added c;
  INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
    SELECT c.tenant_id, c.id, w.tail, w.word, c.search FROM added c, words_of_contact(c.name, c.email) w
    WHERE c.merged_into_id IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Of whoever got or lost a tag or an owner: the contact's row is held by now, so that of two at once the later one counts
-- anew. A row that this very transaction has made is held by nobody else, and is not written twice.
CREATE OR REPLACE FUNCTION write_contacts_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contacts c SET updated_at = c.updated_at FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
    WHERE c.tenant_id = l.tenant_id AND c.id = l.contact_id AND c.xmin <> pg_current_xact_id()::xid;
  IF TG_TABLE_NAME = 'contact_tags' THEN
    UPDATE contact_activity a SET is_tagged = NOT a.is_tagged FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
      WHERE a.tenant_id = l.tenant_id AND a.contact_id = l.contact_id AND a.is_tagged <> EXISTS (
        SELECT FROM contact_tags x WHERE x.tenant_id = l.tenant_id AND x.contact_id = l.contact_id);
    -- Who has the number of the tag already has them all.
    IF TG_OP = 'INSERT' AND NOT EXISTS (SELECT FROM changed l JOIN contact_facets f ON f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id
        WHERE facet(l.tenant_id, 'tag', l.tag_id::text) <> ALL (f.facets)) THEN RETURN NULL; END IF;
  ELSE
    UPDATE contact_activity a SET is_owned = NOT a.is_owned FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
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
