-- The order in which a person counts: "Turma 2" before "Turma 10".
-- Of a PostgreSQL built without ICU, the order of its bytes.
DO $$ BEGIN
  CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION natural_order FROM "C";
END $$;--> statement-breakpoint
CREATE INDEX "contacts_groups" ON "contacts" USING btree ("tenant_id","name" collate natural_order,"id") WHERE "contacts"."is_group";
