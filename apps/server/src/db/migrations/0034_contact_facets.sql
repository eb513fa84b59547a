CREATE TABLE "contact_facets" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"facets" bigint[] NOT NULL,
	CONSTRAINT "contact_facets_tenant_id_contact_id_pk" PRIMARY KEY("tenant_id","contact_id")
);
--> statement-breakpoint
-- A kind and a value of one company as one number: no two of a company's are alike but once in 2^64 pairs.
CREATE FUNCTION facet(tenant integer, kind text, value text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(tenant || ' ' || kind || ' ' || value, 0)
$$;
--> statement-breakpoint
CREATE FUNCTION facets_of_contact(c contacts) RETURNS bigint[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN c.merged_into_id IS NOT NULL THEN '{}' ELSE ARRAY(
    SELECT facet(c.tenant_id, f.kind, f.value) FROM (
      SELECT 'tag' AS kind, x.tag_id::text AS value FROM contact_tags x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id
      UNION ALL SELECT 'tagged', EXISTS (SELECT FROM contact_tags x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id)::text
      UNION ALL SELECT 'owner', x.user_id::text FROM contact_wallets x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id
      UNION ALL SELECT 'owned', EXISTS (SELECT FROM contact_wallets x WHERE x.tenant_id = c.tenant_id AND x.contact_id = c.id)::text
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
CREATE FUNCTION add_contact_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_facets (tenant_id, contact_id, facets)
    SELECT c.tenant_id, c.id, facets_of_contact(c) FROM added a JOIN contacts c ON c.tenant_id = a.tenant_id AND c.id = a.id;
  RETURN NULL;
END $$;
-- After what is kept of their values.
CREATE TRIGGER contacts_facets_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_contact_facets();
--> statement-breakpoint
CREATE FUNCTION keep_contact_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contact_facets f SET facets = n.facets FROM (SELECT facets_of_contact(NEW) AS facets) n
    WHERE f.tenant_id = NEW.tenant_id AND f.contact_id = NEW.id AND f.facets <> n.facets;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_facets_kept AFTER UPDATE ON contacts FOR EACH ROW
  WHEN ((OLD.number, OLD.lane_id, OLD.import_id, OLD.is_group, OLD.merged_into_id, OLD.document, OLD.address, OLD.extra_info)
    IS DISTINCT FROM (NEW.number, NEW.lane_id, NEW.import_id, NEW.is_group, NEW.merged_into_id, NEW.document, NEW.address, NEW.extra_info))
  EXECUTE FUNCTION keep_contact_facets();
--> statement-breakpoint
-- Of whoever got or lost a tag or an owner: the contact's row is held by now, so that of two at once the later one counts anew.
CREATE OR REPLACE FUNCTION write_contacts_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contacts c SET updated_at = c.updated_at FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
    WHERE c.tenant_id = l.tenant_id AND c.id = l.contact_id;
  IF TG_TABLE_NAME = 'contact_tags' THEN
    UPDATE contact_activity a SET is_tagged = NOT a.is_tagged FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
      WHERE a.tenant_id = l.tenant_id AND a.contact_id = l.contact_id AND a.is_tagged <> EXISTS (
        SELECT FROM contact_tags x WHERE x.tenant_id = l.tenant_id AND x.contact_id = l.contact_id);
  ELSE
    UPDATE contact_activity a SET is_owned = NOT a.is_owned FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
      WHERE a.tenant_id = l.tenant_id AND a.contact_id = l.contact_id AND a.is_owned <> EXISTS (
        SELECT FROM contact_wallets x WHERE x.tenant_id = l.tenant_id AND x.contact_id = l.contact_id);
  END IF;
  UPDATE contact_facets f SET facets = n.facets
    FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l JOIN contacts c ON c.tenant_id = l.tenant_id AND c.id = l.contact_id,
      LATERAL (SELECT facets_of_contact(c) AS facets OFFSET 0) n
    WHERE f.tenant_id = l.tenant_id AND f.contact_id = l.contact_id AND f.facets <> n.facets;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION drop_beside_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_activity WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_facets WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_values WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_words WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
INSERT INTO contact_facets (tenant_id, contact_id, facets) SELECT c.tenant_id, c.id, facets_of_contact(c) FROM contacts c;
--> statement-breakpoint
CREATE INDEX "contact_facets_all" ON "contact_facets" USING gin ("facets") WITH (fastupdate=false);
--> statement-breakpoint
-- Who has at least one of each group of facets and none of `without`, as many as asked for; row security lets nobody else
-- read that index. Written anew each time, so that the planner knows what is asked; a walk past everybody is none of its choices.
CREATE FUNCTION contacts_with(every bigint[], groups text[], without bigint[], most integer) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED SECURITY DEFINER ROWS 5000 SET search_path = public SET enable_seqscan = off AS $$
DECLARE
  one text;
  asked text := 'SELECT f.contact_id FROM contact_facets f WHERE f.tenant_id + 0 = current_setting(''app.tenant_id'')::int';
BEGIN
  IF cardinality(every) > 0 THEN asked := asked || format(' AND f.facets @> %L', every::text); END IF;
  FOREACH one IN ARRAY groups LOOP asked := asked || format(' AND f.facets && %L', one::bigint[]::text); END LOOP;
  IF cardinality(without) > 0 THEN asked := asked || format(' AND NOT f.facets && %L', without::text); END IF;
  RETURN QUERY EXECUTE asked || coalesce(' LIMIT ' || most, '');
END $$;
ALTER FUNCTION contacts_with(bigint[], text[], bigint[], integer) OWNER TO balcao_platform;
REVOKE ALL ON FUNCTION contacts_with(bigint[], text[], bigint[], integer) FROM public;
GRANT EXECUTE ON FUNCTION contacts_with(bigint[], text[], bigint[], integer) TO balcao_app;
