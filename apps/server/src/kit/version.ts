import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

/** The version of this server. */
export const readVersion = () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(version)
}

/** Names the built web app; an open page that sees another name has grown old. */
export const readBuild = () => {
  const page = new URL('../../../web/dist/index.html', import.meta.url)
  return existsSync(page) ? createHash('sha256').update(readFileSync(page)).digest('hex').slice(0, 12) : 'dev'
}
