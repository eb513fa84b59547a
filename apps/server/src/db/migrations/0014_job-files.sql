ALTER TABLE "bulk_jobs" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD COLUMN "result_file_id" uuid;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_tenant_id_result_file_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","result_file_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_jobs_of_user" ON "bulk_jobs" USING btree ("tenant_id","user_id","created_at","id");