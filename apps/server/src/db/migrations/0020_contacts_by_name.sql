DROP INDEX "contacts_by_name";--> statement-breakpoint
CREATE INDEX "contacts_by_name" ON "contacts" USING btree ("tenant_id","search" collate "C","id") WHERE "contacts"."merged_into_id" is null;