-- Nothing new is born to a contact that became part of another. Births share a lock a merge takes alone: either the merge
-- waits and takes the new along, or the new waits and sees here how it ended. As a serialisation failure, withTenant runs
-- the whole decision again, and finds the contact that is kept. (A lock of the contact's own row would queue behind it
-- everybody who only notes when the customer last wrote: a deadlock.)
CREATE FUNCTION lock_of_contact(tenant integer, contact uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('contact:' || tenant || ':' || contact, 0)
$$;
--> statement-breakpoint
CREATE FUNCTION refuse_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.contact_id IS NULL THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(lock_of_contact(NEW.tenant_id, NEW.contact_id));
  IF EXISTS (SELECT FROM contacts c WHERE c.tenant_id = NEW.tenant_id AND c.id = NEW.contact_id AND c.merged_into_id IS NOT NULL) THEN
    RAISE EXCEPTION 'contact % became part of another', NEW.contact_id USING ERRCODE = '40001';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER refuse_merged AFTER INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION refuse_merged();
--> statement-breakpoint
CREATE TRIGGER refuse_merged AFTER INSERT ON contact_identities FOR EACH ROW EXECUTE FUNCTION refuse_merged();
--> statement-breakpoint
CREATE TRIGGER refuse_merged AFTER INSERT ON schedules FOR EACH ROW EXECUTE FUNCTION refuse_merged();
--> statement-breakpoint
CREATE TRIGGER refuse_merged AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION refuse_merged();
