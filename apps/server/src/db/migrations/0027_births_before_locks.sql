-- A new ticket, schedule or task asks whether its contact is still somebody before anything else of the same statement holds
-- rows a merge wants (0014 shares the contact's, 0023 counts beside it): held first, the two waited for each other.
CREATE OR REPLACE FUNCTION refuse_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.contact_id IS NULL THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock_shared(lock_of_contact(NEW.tenant_id, NEW.contact_id));
  IF EXISTS (SELECT FROM contacts c WHERE c.tenant_id = NEW.tenant_id AND c.id = NEW.contact_id AND c.merged_into_id IS NOT NULL) THEN
    RAISE EXCEPTION 'contact % became part of another', NEW.contact_id USING ERRCODE = '40001';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER refuse_merged ON tickets;
DROP TRIGGER refuse_merged ON schedules;
DROP TRIGGER refuse_merged ON tasks;
CREATE TRIGGER refuse_merged BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION refuse_merged();
CREATE TRIGGER refuse_merged BEFORE INSERT ON schedules FOR EACH ROW EXECUTE FUNCTION refuse_merged();
CREATE TRIGGER refuse_merged BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION refuse_merged();
