import { readdirSync, readFileSync } from 'node:fs'

export type Fixture = { name: string; payload: unknown }

/** Every recorded inbound payload of a channel, named after its type; for parser tests. */
export const fixturesOf = (channel: string): Fixture[] => {
  const folder = new URL(`./fixtures/${channel}/`, import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ name: file.replace('.json', ''), payload: readPayload(new URL(file, folder)) }))
}

/** One of them, by name. */
export const fixture = (channel: string, name: string): unknown =>
  readPayload(new URL(`./fixtures/${channel}/${name}.json`, import.meta.url))

const readPayload = (url: URL): unknown => JSON.parse(readFileSync(url, 'utf8'))
