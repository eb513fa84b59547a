ALTER TABLE "contact_activity" ADD COLUMN "is_tagged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_activity" ADD COLUMN "is_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
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
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE contact_activity a SET is_tagged = EXISTS (SELECT FROM contact_tags x WHERE x.tenant_id = a.tenant_id AND x.contact_id = a.contact_id),
    is_owned = EXISTS (SELECT FROM contact_wallets x WHERE x.tenant_id = a.tenant_id AND x.contact_id = a.contact_id);
--> statement-breakpoint
CREATE INDEX "contact_activity_untagged" ON "contact_activity" USING btree ("tenant_id","contact_id") WHERE not "contact_activity"."is_tagged";--> statement-breakpoint
CREATE INDEX "contact_activity_unowned" ON "contact_activity" USING btree ("tenant_id","contact_id") WHERE not "contact_activity"."is_owned";
--> statement-breakpoint
-- With what else segments ask of the contacts themselves: whoever is called so need not be read again for it.
DROP FUNCTION contacts_called(text, text, text, text);
CREATE FUNCTION contacts_called(field text, op text, said text, pattern text)
RETURNS TABLE (id uuid, tenant_id integer, name text, search text, number text, email text, lane_id uuid, import_id uuid, is_group boolean, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 5000 SET search_path = public AS $$
  SELECT c.id, c.tenant_id, c.name, c.search, c.number, c.email, c.lane_id, c.import_id, c.is_group, c.created_at FROM contacts c
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
