DROP INDEX "contacts_by_name";--> statement-breakpoint
DROP INDEX "contacts_by_last";--> statement-breakpoint
CREATE INDEX "contacts_by_name" ON "contacts" USING btree ("tenant_id","search" collate "C","id");--> statement-breakpoint
CREATE INDEX "contacts_by_last" ON "contacts" USING btree ("tenant_id",coalesce("last_message_at", 'epoch'::timestamptz),"id");--> statement-breakpoint
-- Like find_contacts (0001), with what a list is ordered by, so that only the page itself is read from the table.
CREATE FUNCTION search_contacts(pattern text) RETURNS TABLE (id uuid, search text, created_at timestamptz, last_message_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id, c.search, c.created_at, c.last_message_at FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE norm(pattern)
$$;
--> statement-breakpoint
ALTER FUNCTION search_contacts(text) OWNER TO balcao_platform;
--> statement-breakpoint
REVOKE ALL ON FUNCTION search_contacts(text) FROM public;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_contacts(text) TO balcao_app;
