CREATE TABLE "contact_activity" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"last_message_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL,
	CONSTRAINT "contact_activity_tenant_id_contact_id_pk" PRIMARY KEY("tenant_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "contact_words" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"tail" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C",
	"search" text COLLATE "C" NOT NULL,
	CONSTRAINT "contact_words_tenant_id_contact_id_tail_pk" PRIMARY KEY("tenant_id","contact_id","tail")
);
--> statement-breakpoint
-- Words alone, without accents or signs, one space between them.
CREATE FUNCTION contact_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(norm(value), '[^[:alnum:]]+', ' ', 'g'))
$$;--> statement-breakpoint
-- Each word with what follows it; a word that comes twice is one.
CREATE FUNCTION words_of_contact(name text, email text) RETURNS TABLE (tail text, word text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(array_to_string(w.words[n:], ' '), 200), CASE WHEN array_position(w.words, w.words[n]) = n THEN left(w.words[n], 100) END
  FROM (SELECT string_to_array(contact_text(name || ' ' || coalesce(split_part(email, '@', 1), '')), ' ') AS words) w,
    generate_series(1, least(30, cardinality(w.words))) n
  WHERE w.words[n] <> ''
$$;--> statement-breakpoint
CREATE FUNCTION add_beside_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_activity (tenant_id, contact_id) SELECT tenant_id, id FROM added;
  INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
    SELECT c.tenant_id, c.id, w.tail, w.word, c.search FROM added c, words_of_contact(c.name, c.email) w
    WHERE c.merged_into_id IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION keep_contact_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_words WHERE tenant_id = NEW.tenant_id AND contact_id = NEW.id;
  IF NEW.merged_into_id IS NULL THEN
    INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
      SELECT NEW.tenant_id, NEW.id, w.tail, w.word, NEW.search FROM words_of_contact(NEW.name, NEW.email) w ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
INSERT INTO contact_activity (tenant_id, contact_id, last_message_at) SELECT tenant_id, id, coalesce(last_message_at, 'epoch') FROM contacts;--> statement-breakpoint
INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
  SELECT c.tenant_id, c.id, w.tail, w.word, c.search FROM contacts c, words_of_contact(c.name, c.email) w
  WHERE c.merged_into_id IS NULL ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE "contact_activity" ADD CONSTRAINT "contact_activity_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_words" ADD CONSTRAINT "contact_words_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_activity_last" ON "contact_activity" USING btree ("tenant_id","last_message_at","contact_id");--> statement-breakpoint
CREATE INDEX "contact_words_word" ON "contact_words" USING btree ("tenant_id","word","search","contact_id") WHERE "contact_words"."word" is not null;--> statement-breakpoint
CREATE INDEX "contact_words_tail" ON "contact_words" USING btree ("tenant_id","tail","search","contact_id");--> statement-breakpoint
CREATE TRIGGER beside_contacts AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_beside_contacts();--> statement-breakpoint
CREATE TRIGGER contact_words AFTER UPDATE ON contacts FOR EACH ROW
  WHEN (OLD.search IS DISTINCT FROM NEW.search OR OLD.merged_into_id IS DISTINCT FROM NEW.merged_into_id) EXECUTE FUNCTION keep_contact_words();--> statement-breakpoint
DROP FUNCTION search_contacts(text);--> statement-breakpoint
DROP FUNCTION find_contacts(text, integer);--> statement-breakpoint
DROP INDEX "contacts_by_last";--> statement-breakpoint
ALTER TABLE "contacts" DROP COLUMN "last_message_at";--> statement-breakpoint
CREATE FUNCTION search_contacts(pattern text) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL
$$;--> statement-breakpoint
-- Whoever is called so; where nobody is, whoever has these letters anywhere.
CREATE FUNCTION find_contacts(words text, pattern text, max integer) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  begins constant text := contact_text(words);
BEGIN
  IF begins <> '' THEN
    RETURN QUERY SELECT w.contact_id FROM contact_words w
      WHERE w.tenant_id = tenant AND w.tail >= begins AND w.tail < begins || chr(1114111) LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT c.id FROM contacts c
    WHERE c.tenant_id = tenant AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL LIMIT max;
END $$;--> statement-breakpoint
ALTER FUNCTION search_contacts(text) OWNER TO balcao_platform;--> statement-breakpoint
ALTER FUNCTION find_contacts(text, text, integer) OWNER TO balcao_platform;--> statement-breakpoint
REVOKE ALL ON FUNCTION search_contacts(text), find_contacts(text, text, integer) FROM public;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_contacts(text), find_contacts(text, text, integer) TO balcao_app;
