CREATE TABLE "consent_states" (
	"tenant_id" integer NOT NULL,
	"identity_kind" text NOT NULL,
	"identity_value" text NOT NULL,
	"channel" text NOT NULL,
	"purpose" text NOT NULL,
	"is_given" boolean,
	"source" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"entry_id" uuid NOT NULL,
	CONSTRAINT "consent_states_tenant_id_identity_kind_identity_value_channel_purpose_pk" PRIMARY KEY("tenant_id","identity_kind","identity_value","channel","purpose")
);
--> statement-breakpoint
CREATE TABLE "suppression_lines" (
	"tenant_id" integer NOT NULL,
	"list_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "suppression_lines_tenant_id_list_id_place_pk" PRIMARY KEY("tenant_id","list_id","place")
);
--> statement-breakpoint
CREATE TABLE "suppression_lists" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"proof" text NOT NULL,
	"channels" jsonb NOT NULL,
	"purposes" jsonb NOT NULL,
	"total" integer NOT NULL,
	"accepted" integer DEFAULT 0 NOT NULL,
	"job_id" uuid,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone,
	CONSTRAINT "suppression_lists_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "duplicate_checks" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	CONSTRAINT "duplicate_checks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "duplicate_pairs" (
	"tenant_id" integer NOT NULL,
	"a_id" uuid NOT NULL,
	"b_id" uuid NOT NULL,
	"reasons" text[] NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" uuid,
	CONSTRAINT "duplicate_pairs_tenant_id_a_id_b_id_pk" PRIMARY KEY("tenant_id","a_id","b_id")
);
--> statement-breakpoint
DROP INDEX "contacts_same_name";--> statement-breakpoint
DROP INDEX "contacts_document";--> statement-breakpoint
ALTER TABLE "consents" ALTER COLUMN "is_given" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ADD COLUMN "list_id" uuid;--> statement-breakpoint
ALTER TABLE "suppression_lines" ADD CONSTRAINT "suppression_lines_tenant_id_list_id_suppression_lists_tenant_id_id_fk" FOREIGN KEY ("tenant_id","list_id") REFERENCES "public"."suppression_lists"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppression_lists" ADD CONSTRAINT "suppression_lists_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_pairs" ADD CONSTRAINT "duplicate_pairs_tenant_id_a_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","a_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_pairs" ADD CONSTRAINT "duplicate_pairs_tenant_id_b_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","b_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consent_states_refused" ON "consent_states" USING btree ("tenant_id","at","entry_id") WHERE not "consent_states"."is_given";--> statement-breakpoint
CREATE INDEX "consent_states_channel" ON "consent_states" USING btree ("tenant_id","channel","at","entry_id") WHERE not "consent_states"."is_given";--> statement-breakpoint
CREATE INDEX "consent_states_value" ON "consent_states" USING gin ("tenant_id","identity_value" gin_trgm_ops) WHERE not "consent_states"."is_given";--> statement-breakpoint
CREATE INDEX "suppression_lists_recent" ON "suppression_lists" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "duplicate_pairs_list" ON "duplicate_pairs" USING btree ("tenant_id","state","at","a_id","b_id");--> statement-breakpoint
CREATE INDEX "duplicate_pairs_other" ON "duplicate_pairs" USING btree ("tenant_id","b_id");--> statement-breakpoint
CREATE INDEX "consents_list" ON "consents" USING btree ("tenant_id","list_id","id") WHERE "consents"."list_id" is not null;--> statement-breakpoint
CREATE INDEX "contacts_same_birthday" ON "contacts" USING btree ("tenant_id",norm("name"),"birthday_date") WHERE "contacts"."birthday_date" is not null and not "contacts"."is_group" and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_same_company" ON "contacts" USING btree ("tenant_id",norm("name"),norm("business_name")) WHERE "contacts"."business_name" <> '' and not "contacts"."is_group" and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_document" ON "contacts" USING btree ("tenant_id","document" collate "C") WHERE "contacts"."document" is not null;--> statement-breakpoint
-- What holds of each identity, channel and purpose is its newest entry.
CREATE FUNCTION keep_consent_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO consent_states AS s (tenant_id, identity_kind, identity_value, channel, purpose, is_given, source, at, entry_id)
    SELECT DISTINCT ON (tenant_id, identity_kind, identity_value, channel, purpose)
      tenant_id, identity_kind, identity_value, channel, purpose, is_given, source, at, id FROM entries
    ORDER BY tenant_id, identity_kind, identity_value, channel, purpose, at DESC, id DESC
  ON CONFLICT (tenant_id, identity_kind, identity_value, channel, purpose) DO UPDATE
    SET is_given = excluded.is_given, source = excluded.source, at = excluded.at, entry_id = excluded.entry_id
    WHERE (excluded.at, excluded.entry_id) > (s.at, s.entry_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER consents_hold AFTER INSERT ON consents REFERENCING NEW TABLE AS entries
  FOR EACH STATEMENT EXECUTE FUNCTION keep_consent_states();
--> statement-breakpoint
INSERT INTO consent_states (tenant_id, identity_kind, identity_value, channel, purpose, is_given, source, at, entry_id)
  SELECT DISTINCT ON (tenant_id, identity_kind, identity_value, channel, purpose)
    tenant_id, identity_kind, identity_value, channel, purpose, is_given, source, at, id FROM consents
  ORDER BY tenant_id, identity_kind, identity_value, channel, purpose, at DESC, id DESC;
--> statement-breakpoint
-- Whoever is new, or has something new by which they may be somebody who is here already, is compared with the others.
CREATE FUNCTION want_duplicate_checks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO duplicate_checks (tenant_id, id, contact_id) SELECT tenant_id, gen_random_uuid(), id FROM fresh
    WHERE NOT is_group AND (number IS NOT NULL OR email IS NOT NULL OR document IS NOT NULL OR birthday_date IS NOT NULL OR business_name <> '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION want_duplicate_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO duplicate_checks (tenant_id, id, contact_id) VALUES (NEW.tenant_id, gen_random_uuid(), NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION want_duplicate_check_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO duplicate_checks (tenant_id, id, contact_id) VALUES (NEW.tenant_id, gen_random_uuid(), NEW.contact_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER duplicates_of_new AFTER INSERT ON contacts REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION want_duplicate_checks();
--> statement-breakpoint
CREATE TRIGGER duplicates_of_changed AFTER UPDATE OF name, number, email, document, birthday_date, business_name, merged_into_id ON contacts
  FOR EACH ROW WHEN (NOT NEW.is_group AND (OLD.name, OLD.number, OLD.email, OLD.document, OLD.birthday_date, OLD.business_name, OLD.merged_into_id)
    IS DISTINCT FROM (NEW.name, NEW.number, NEW.email, NEW.document, NEW.birthday_date, NEW.business_name, NEW.merged_into_id))
  EXECUTE FUNCTION want_duplicate_check();
--> statement-breakpoint
CREATE TRIGGER duplicates_of_mail AFTER INSERT OR UPDATE OF contact_id ON contact_identities
  FOR EACH ROW WHEN (NEW.kind = 'email') EXECUTE FUNCTION want_duplicate_check_of_owner();
--> statement-breakpoint
INSERT INTO duplicate_checks (tenant_id, id, contact_id) SELECT tenant_id, gen_random_uuid(), id FROM contacts
  WHERE NOT is_group AND merged_into_id IS NULL AND (number IS NOT NULL OR email IS NOT NULL OR document IS NOT NULL OR birthday_date IS NOT NULL OR business_name <> '');
