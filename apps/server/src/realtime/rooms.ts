/** The room of one person: everything they may know arrives here. */
export const userRoom = (tenantId: number, userId: string) => `u:${tenantId}:${userId}`

/** The room of those who have a flow open. */
export const flowRoom = (tenantId: number, flowId: string) => `f:${tenantId}:${flowId}`

/** The room of those who look at a conversation; joined only after the read policy agreed. */
export const viewRoom = (tenantId: number, ticketId: string) => `v:${tenantId}:${ticketId}`
