/** The file that was dropped last, so that it can be read otherwise without being chosen again; a reload forgets it. */
let inHand: { importId: string; file: File } | undefined

export const keepFile = (importId: string, file: File) => {
  inHand = { importId, file }
}
export const fileOf = (importId: string): File | undefined => (inHand?.importId === importId ? inHand.file : undefined)
