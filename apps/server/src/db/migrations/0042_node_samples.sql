CREATE TABLE "node_samples" (
	"at" timestamp (3) with time zone NOT NULL,
	"node" text NOT NULL,
	"machine" jsonb,
	"slowest" jsonb,
	"installation" jsonb,
	CONSTRAINT "node_samples_at_node_pk" PRIMARY KEY("at","node")
);
