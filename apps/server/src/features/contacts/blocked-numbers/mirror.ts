type Mirror = (tenantId: number, change: { number: string; isBlocked: boolean }) => Promise<void>
let mirror: Mirror = async () => {}
/** Who tells the providers; a feature that knows them registers it. */
export const registerBlockMirror = (told: Mirror) => {
  mirror = told
}

/** Our own list decides; at the provider it is a courtesy that may fail. */
export const mirrorBlock: Mirror = (tenantId, change) => mirror(tenantId, change)
