DROP INDEX "journal_old";--> statement-breakpoint
CREATE INDEX "journal_of_connection" ON "journal" USING btree ("tenant_id","connection_id","received_at","id");