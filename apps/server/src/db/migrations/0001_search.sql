-- Trigram operators are not leakproof, so under row-level security the planner may not use their indexes.
-- These functions run as the platform role and hold the tenant themselves.
CREATE FUNCTION find_contacts(pattern text, max integer) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE norm(pattern)
  LIMIT max
$$;
--> statement-breakpoint
CREATE FUNCTION find_messages(pattern text, max integer) RETURNS TABLE (id uuid, ticket_id uuid, seq bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT m.id, m.ticket_id, m.seq FROM messages m
  WHERE m.tenant_id = current_setting('app.tenant_id')::int AND norm(m.body) LIKE norm(pattern) AND NOT m.is_deleted
  LIMIT max
$$;
--> statement-breakpoint
ALTER FUNCTION find_contacts(text, integer) OWNER TO balcao_platform;
--> statement-breakpoint
ALTER FUNCTION find_messages(text, integer) OWNER TO balcao_platform;
--> statement-breakpoint
REVOKE ALL ON FUNCTION find_contacts(text, integer), find_messages(text, integer) FROM public;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION find_contacts(text, integer), find_messages(text, integer) TO balcao_app;
