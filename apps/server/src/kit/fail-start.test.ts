import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'

const said = (script: string, env: Record<string, string> = {}) => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return [status, stderr]
}
const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

test('a wrong variable ends the start with one sentence', () => {
  expect(said(`await import(${at('../env.ts')})`, { PORT: 'abc' })).toEqual([
    1,
    'O Balcão não abriu: PORT deve ser um número inteiro de 0 a 65535.\n',
  ])
})

test('a port that is taken is named, whichever of ours it is', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has one
  const script = `const { createServer } = await import('node:net')
    const { failStart } = await import(${at('./fail-start.ts')})
    createServer().on('error', failStart).listen(${port}, '127.0.0.1')`
  expect(said(script)).toEqual([
    1,
    `O Balcão não abriu: a porta ${port} já está em uso. Feche o outro programa ou escolha outra com PORT.\n`,
  ])
  server.close()
})
