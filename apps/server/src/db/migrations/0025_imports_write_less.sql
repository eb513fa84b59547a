ALTER TABLE "contact_activity" DROP CONSTRAINT "contact_activity_tenant_id_contact_id_contacts_tenant_id_id_fk";
--> statement-breakpoint
ALTER TABLE "contact_values" DROP CONSTRAINT "contact_values_tenant_id_contact_id_contacts_tenant_id_id_fk";
--> statement-breakpoint
ALTER TABLE "contact_words" DROP CONSTRAINT "contact_words_tenant_id_contact_id_contacts_tenant_id_id_fk";
--> statement-breakpoint
-- What triggers write beside a contact goes with it.
CREATE FUNCTION drop_beside_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_activity WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_values WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  DELETE FROM contact_words WHERE tenant_id = OLD.tenant_id AND contact_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER beside_contact_gone AFTER DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION drop_beside_contact();
--> statement-breakpoint
-- The same refusal for all identities of a statement. Whoever this very transaction has made is seen by no merge.
CREATE FUNCTION refuse_merged_owners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(k.lock) FROM (
    SELECT DISTINCT lock_of_contact(n.tenant_id, n.contact_id) AS lock FROM added n JOIN contacts c ON c.tenant_id = n.tenant_id AND c.id = n.contact_id
    WHERE c.xmin <> pg_current_xact_id()::xid ORDER BY 1) k;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM added n JOIN contacts c ON c.tenant_id = n.tenant_id AND c.id = n.contact_id WHERE c.merged_into_id IS NOT NULL) THEN
    RAISE EXCEPTION 'a contact became part of another' USING ERRCODE = '40001';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER refuse_merged ON contact_identities;
CREATE TRIGGER refuse_merged AFTER INSERT ON contact_identities REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_merged_owners();
