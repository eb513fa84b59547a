/** SQL: what the stage is called in which the contact `c` stands. */
export const laneName = '(select l.name from lanes l where l.tenant_id = c.tenant_id and l.id = c.lane_id)'
