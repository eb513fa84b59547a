CREATE TABLE "contact_values" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"number" double precision,
	"day" date,
	CONSTRAINT "contact_values_tenant_id_contact_id_key_pk" PRIMARY KEY("tenant_id","contact_id","key")
);
--> statement-breakpoint
CREATE TABLE "segments" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"user_id" uuid NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"rules" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "segments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
DROP INDEX "contact_identities_contact";--> statement-breakpoint
DROP INDEX "tickets_of_reason";--> statement-breakpoint
DROP INDEX "tickets_closed";--> statement-breakpoint
ALTER TABLE "contact_activity" ADD COLUMN "last_sent_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_values" ADD CONSTRAINT "contact_values_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segments" ADD CONSTRAINT "segments_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_values_value" ON "contact_values" USING btree ("tenant_id","key","value" collate "C","contact_id");--> statement-breakpoint
CREATE INDEX "contact_values_number" ON "contact_values" USING btree ("tenant_id","key","number","contact_id") WHERE "contact_values"."number" is not null;--> statement-breakpoint
CREATE INDEX "contact_values_day" ON "contact_values" USING btree ("tenant_id","key","day","contact_id") WHERE "contact_values"."day" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "segments_name" ON "segments" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE INDEX "segments_shared" ON "segments" USING btree ("tenant_id","is_shared","name");--> statement-breakpoint
CREATE INDEX "contact_activity_sent" ON "contact_activity" USING btree ("tenant_id","last_sent_at","contact_id");--> statement-breakpoint
CREATE INDEX "tickets_of_connection" ON "tickets" USING btree ("tenant_id","connection_id","contact_id");--> statement-breakpoint
CREATE INDEX "ratings_of_contact" ON "ratings" USING btree ("tenant_id","contact_id","answered_at","id","grade") WHERE "ratings"."grade" is not null;--> statement-breakpoint
CREATE INDEX "contact_identities_contact" ON "contact_identities" USING btree ("tenant_id","contact_id","kind");--> statement-breakpoint
CREATE INDEX "tickets_of_reason" ON "tickets" USING btree ("tenant_id","reason_id","contact_id") WHERE "tickets"."reason_id" is not null;--> statement-breakpoint
CREATE INDEX "tickets_closed" ON "tickets" USING btree ("tenant_id","closed_at","contact_id") WHERE "tickets"."closed_at" is not null;--> statement-breakpoint
-- What a contact has, by key; of a field given twice, the first.
CREATE FUNCTION values_of_contact(c contacts) RETURNS TABLE (key text, value text, number double precision, day date)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT v.key, left(norm(v.value), 500), v.number, v.day FROM (
    SELECT 'company' AS key, c.business_name AS value, NULL::double precision AS number, NULL::date AS day
    UNION ALL SELECT 'document', CASE length(c.document) WHEN 11 THEN 'cpf' ELSE 'cnpj' END, NULL, NULL WHERE c.document IS NOT NULL
    UNION ALL SELECT 'city', c.address ->> 'city', NULL, NULL
    UNION ALL SELECT 'state', c.address ->> 'state', NULL, NULL
    UNION ALL SELECT 'birthday', to_char(c.birthday_date, 'MM-DD'),
      extract(month FROM c.birthday_date) * 100 + extract(day FROM c.birthday_date), NULL
    UNION ALL SELECT * FROM (
      SELECT DISTINCT ON (e.name) 'extra.' || e.name, e.value,
        CASE WHEN e.value ~ '^-?\d{1,15}(,\d{1,6})?$' THEN replace(e.value, ',', '.')::double precision END,
        CASE WHEN e.value ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' THEN
          CASE WHEN right(e.value, 2)::int <= extract(day FROM (left(e.value, 7) || '-01')::date + interval '1 month -1 day') THEN e.value::date END
        END
      FROM (SELECT left(x ->> 'name', 120) AS name, x ->> 'value' AS value, n
        FROM jsonb_array_elements(c.extra_info) WITH ORDINALITY a(x, n)) e
      WHERE e.name IS NOT NULL ORDER BY e.name, e.n) own
  ) v WHERE v.value <> ''
$$;
--> statement-breakpoint
CREATE FUNCTION add_contact_values() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_values (tenant_id, contact_id, key, value, number, day)
    SELECT c.tenant_id, c.id, v.key, v.value, v.number, v.day FROM added a JOIN contacts c ON c.tenant_id = a.tenant_id AND c.id = a.id,
      values_of_contact(c) v
    WHERE a.business_name <> '' OR a.document IS NOT NULL OR a.address IS NOT NULL OR a.birthday_date IS NOT NULL OR a.extra_info <> '[]';
  RETURN NULL;
END $$;
CREATE TRIGGER contact_values_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_contact_values();
--> statement-breakpoint
CREATE FUNCTION keep_contact_values() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_values WHERE tenant_id = NEW.tenant_id AND contact_id = NEW.id;
  INSERT INTO contact_values (tenant_id, contact_id, key, value, number, day)
    SELECT NEW.tenant_id, NEW.id, v.key, v.value, v.number, v.day FROM values_of_contact(NEW) v;
  RETURN NULL;
END $$;
CREATE TRIGGER contact_values_kept AFTER UPDATE ON contacts FOR EACH ROW
  WHEN ((OLD.business_name, OLD.document, OLD.address, OLD.birthday_date, OLD.extra_info)
    IS DISTINCT FROM (NEW.business_name, NEW.document, NEW.address, NEW.birthday_date, NEW.extra_info)) EXECUTE FUNCTION keep_contact_values();
--> statement-breakpoint
INSERT INTO contact_values (tenant_id, contact_id, key, value, number, day)
  SELECT c.tenant_id, c.id, v.key, v.value, v.number, v.day FROM contacts c, values_of_contact(c) v;
--> statement-breakpoint
UPDATE contact_activity a SET last_sent_at = m.at
  FROM (SELECT tenant_id, contact_id, max(created_at) AS at FROM messages WHERE from_me AND type NOT IN ('note', 'system') GROUP BY 1, 2) m
  WHERE m.tenant_id = a.tenant_id AND m.contact_id = a.contact_id;
