-- A tag or an owner belongs to its ticket or contact: giving or taking one writes that row anew, so the transaction
-- that last wrote a row (xmin) tells whether anything of it changed. The list keeps rows in memory by that.
CREATE FUNCTION write_contacts_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contacts c SET updated_at = c.updated_at FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
    WHERE c.tenant_id = l.tenant_id AND c.id = l.contact_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION write_tickets_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tickets t SET updated_at = t.updated_at FROM (SELECT DISTINCT tenant_id, ticket_id FROM changed) l
    WHERE t.tenant_id = l.tenant_id AND t.id = l.ticket_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER written AFTER INSERT ON contact_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();--> statement-breakpoint
CREATE TRIGGER moved AFTER UPDATE ON contact_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();--> statement-breakpoint
CREATE TRIGGER taken AFTER DELETE ON contact_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();--> statement-breakpoint
CREATE TRIGGER written AFTER INSERT ON contact_wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();--> statement-breakpoint
CREATE TRIGGER moved AFTER UPDATE ON contact_wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();--> statement-breakpoint
CREATE TRIGGER taken AFTER DELETE ON contact_wallets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();--> statement-breakpoint
CREATE TRIGGER written AFTER INSERT ON ticket_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_tickets_anew();--> statement-breakpoint
CREATE TRIGGER moved AFTER UPDATE ON ticket_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_tickets_anew();--> statement-breakpoint
CREATE TRIGGER taken AFTER DELETE ON ticket_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_tickets_anew();
