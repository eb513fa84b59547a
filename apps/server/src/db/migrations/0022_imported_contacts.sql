-- A row that this very transaction has made is new as it is: who comes with tags and owners is not written twice.
CREATE OR REPLACE FUNCTION write_contacts_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contacts c SET updated_at = c.updated_at FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
    WHERE c.tenant_id = l.tenant_id AND c.id = l.contact_id AND c.xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The same words, taken apart once: without the offset each mention of them takes the text apart anew.
CREATE OR REPLACE FUNCTION words_of_contact(name text, email text) RETURNS TABLE (tail text, word text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(array_to_string(w.words[n:], ' '), 200), CASE WHEN array_position(w.words, w.words[n]) = n THEN left(w.words[n], 100) END
  FROM (SELECT string_to_array(contact_text(name || ' ' || coalesce(split_part(email, '@', 1), '')), ' ') AS words OFFSET 0) w,
    generate_series(1, least(30, cardinality(w.words))) n
  WHERE w.words[n] <> ''
$$;
