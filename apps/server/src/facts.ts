import { rebuildEpisodes } from './features/operations/reports/episodes.loop.ts'
import { failStart } from './kit/fail-start.ts'
import { openStorage } from './start.ts'

/** `npm run facts [empresa]`: the facts that reports are made of, read anew from the history of every conversation. */
const company = process.argv[2]
if (company !== undefined && !/^\d+$/.test(company)) {
  console.error('Uso: npm run facts [número da empresa]')
  process.exit(1)
}
const storage = await openStorage().catch(failStart)
try {
  const told = (text: string) => console.log(text)
  await rebuildEpisodes(company === undefined ? undefined : Number(company), told)
} finally {
  await storage.stop()
}
