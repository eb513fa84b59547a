-- Protocols: the day in the company's time zone and six digits. The sequence takes no lock, so tickets are created in
-- parallel; the multiplication (a bijection of 0..999999) hides from a company how many tickets the others open.
CREATE SEQUENCE ticket_protocols;
--> statement-breakpoint
CREATE FUNCTION next_protocol() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT to_char(now() AT TIME ZONE t.timezone, 'YYYYMMDD')
    || lpad(((nextval('ticket_protocols') * 387431 + t.id * 104729) % 1000000)::text, 6, '0')
  FROM tenants t WHERE t.id = current_setting('app.tenant_id')::int
$$;
--> statement-breakpoint
-- The beginning of a protocol is searched by index: see 0001 for why this runs as the platform role.
CREATE FUNCTION find_protocols(prefix text, max integer) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT t.id FROM tickets t
  WHERE t.tenant_id = current_setting('app.tenant_id')::int AND t.protocol >= prefix AND t.protocol < prefix || 'z'
  ORDER BY t.protocol DESC LIMIT max
$$;
--> statement-breakpoint
ALTER FUNCTION find_protocols(text, integer) OWNER TO balcao_platform;
--> statement-breakpoint
REVOKE ALL ON FUNCTION find_protocols(text, integer) FROM public;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION find_protocols(text, integer) TO balcao_app;
