CREATE TABLE "job_parts" (
	"tenant_id" integer NOT NULL,
	"job_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "job_parts_tenant_id_job_id_place_pk" PRIMARY KEY("tenant_id","job_id","place")
);
--> statement-breakpoint
CREATE TABLE "job_refusals" (
	"tenant_id" integer NOT NULL,
	"job_id" uuid NOT NULL,
	"item" text NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "job_refusals_tenant_id_job_id_item_pk" PRIMARY KEY("tenant_id","job_id","item")
);
--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD COLUMN "has_result" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "job_parts" ADD CONSTRAINT "job_parts_tenant_id_job_id_bulk_jobs_tenant_id_id_fk" FOREIGN KEY ("tenant_id","job_id") REFERENCES "public"."bulk_jobs"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_refusals" ADD CONSTRAINT "job_refusals_tenant_id_job_id_bulk_jobs_tenant_id_id_fk" FOREIGN KEY ("tenant_id","job_id") REFERENCES "public"."bulk_jobs"("tenant_id","id") ON DELETE cascade ON UPDATE no action;