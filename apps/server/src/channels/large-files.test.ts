import '../../test/kit.ts' // an environment of its own, before anything reads it
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createEgress } from '../kit/egress.ts'
import type { ChannelAdapter, ChannelContext, Outbound } from './adapter.ts'
import { fileInAnswer, filePlace, jsonOf } from './base64-streams.ts'
import { wholeOf } from './conformance.receiver.ts'
import { evolution } from './evolution/adapter.ts'
import { uazapi } from './uazapi/adapter.ts'
import { wuzapi } from './wuzapi/adapter.ts'
import { zapi } from './zapi/adapter.ts'

const megabytes = 100
const piece = Buffer.alloc(999_999, 7) // three bytes are four letters
const letters = piece.toString('base64')
const film = async function* () {
  for (let n = 0; n < megabytes; n += 1) yield piece
}
const size = megabytes * piece.length
const whole = createHash('sha256')
for (let n = 0; n < megabytes; n += 1) whole.update(piece)
const digest = whole.digest('hex')

/** A gateway that holds nothing: it makes the film while it answers, and hashes the one it is sent. */
let heard = { digest: '', length: 0, declared: 0 }
const inJson = async (res: ServerResponse, head: string, tail: string) => {
  const all = async function* () {
    yield head
    for (let n = 0; n < megabytes; n += 1) yield letters
    yield tail
  }
  await pipeline(Readable.from(all()), res)
}
const server = createServer(async (req, res) => {
  const { url = '' } = req
  if (url === '/film.mp4') return pipeline(Readable.from(film()), res)
  if (/getBase64/.test(url)) return inJson(res, '{"mediaType":"videoMessage","base64":"', '","size":{}}')
  if (/message\/download/.test(url)) return inJson(res, '{"fileURL":"","base64Data":"', '","mimetype":"video/mp4"}')
  if (/downloadvideo/.test(url))
    return inJson(res, '{"code":200,"data":{"Data":"data:video/mp4;base64,', '","Mimetype":"video/mp4"}}')
  const found = await fileInAnswer({ status: 200, headers: {}, body: req }, '(?:media|file|Video|video)')
  const hash = createHash('sha256')
  let length = 0
  if ('file' in found)
    for await (const chunk of found.file) {
      hash.update(chunk)
      length += chunk.length
    }
  heard = { digest: hash.digest('hex'), length, declared: Number(req.headers['content-length']) }
  req.resume()
  const id = '3EB0'
  res.end(JSON.stringify({ key: { id }, messageid: id, messageId: id, code: 200, data: { Id: id }, success: true }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const egress = createEgress({ allow: ['127.0.0.1'] })
const contextOf = (config: object): ChannelContext<'evolution'> => ({
  tenantId: 7,
  connectionId: v7(),
  config: { baseUrl, ...config } as ChannelConfig<'evolution'>,
  hookSecret: 'segredo',
  webhookUrl: 'https://balcao.test/hooks/x',
  egress,
  http: egress.http,
})

const keys = {
  apiKey: 'chave',
  instanceName: 'loja',
  token: 'token',
  clientToken: 'conta',
  instanceId: 'I',
  instanceToken: 'T',
}
const gateways: [string, ChannelAdapter<never>, Record<string, unknown>][] = [
  ['evolution', evolution, { id: '3EB0' }],
  ['uazapi', uazapi, { id: '3EB0' }],
  ['wuzapi', wuzapi, { kind: 'video', directPath: '/v/1', mediaKey: 'a2V5' }],
  ['zapi', zapi, { url: `${baseUrl}/film.mp4` }],
]

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** The most that was held while it ran, beyond what was held before; what is let go and not collected yet is not held. */
const heldBy = async (work: () => Promise<unknown>): Promise<number> => {
  const now = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = now()
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, now())
  }, 20)
  await work().finally(() => clearInterval(looking))
  return (most - before) / 1e6
}

test.each(gateways)(
  '%s: a film of 100 MB comes and goes without being held in memory',
  async (_kind, adapter, source) => {
    const context = contextOf(keys) as never
    const hash = createHash('sha256')
    const coming = await heldBy(async () => {
      const { stream } = (await adapter.fetchMedia?.(source, context)) ?? {}
      for await (const chunk of stream ?? []) hash.update(chunk)
    })
    expect(hash.digest('hex')).toBe(digest)

    const bytes = () => Promise.reject(new Error('not whole'))
    const message: Outbound = {
      id: v7(),
      providerId: '3EB0',
      to: [{ kind: 'phone', value: '5511988887777' }],
      type: 'video',
      body: 'Veja',
      media: { name: 'filme.mp4', mime: 'video/mp4', size, bytes, stream: async () => Readable.from(film()) },
      location: null,
      contacts: [],
      quotedProviderId: null,
    }
    const going = await heldBy(() => adapter.send(message, context))
    expect(heard).toMatchObject({ digest, length: size })
    expect(heard.declared).toBeGreaterThan((size * 4) / 3)
    console.log(`${_kind}: 100 MB in ${coming.toFixed(0)} MB, out ${going.toFixed(0)} MB`)
    // Held whole, it would be more than the film: the gateway is in this process too.
    expect(Math.max(coming, going)).toBeLessThan(megabytes / 2)
  },
)

const told = (text: string, cuts: number[]) => {
  const all = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).toSorted((a, b) => a - b), all.length]
  const chunks = places.slice(1).map((end, n) => all.subarray(places[n], end))
  return { status: 200, headers: {}, body: Readable.from(chunks.filter((one) => one.length)) }
}

test('a file in an answer is the same however the answer is cut, and in whatever form', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1 }),
      fc.array(fc.nat()),
      fc.constantFrom('', 'data:a/b;base64,'),
      async (file, cuts, form) => {
        const text = JSON.stringify({
          said: '"base64":"nada"',
          base64: form + Buffer.from(file).toString('base64'),
          more: 1,
        })
        const found = await fileInAnswer(told(text.replaceAll('/', '\\/'), cuts), 'base64')
        if (!('file' in found)) throw new Error('no file')
        expect(await wholeOf({ stream: found.file })).toEqual(Buffer.from(file))
        const { body } = jsonOf(
          { a: 'x', file: `data:;base64,${filePlace}`, b: 'ç"' },
          { stream: Readable.from([Buffer.from(file)]), size: file.length },
          {},
        )
        const sent = JSON.parse((await wholeOf({ stream: body as Readable }))?.toString() ?? '')
        expect(sent).toEqual({ a: 'x', file: `data:;base64,${Buffer.from(file).toString('base64')}`, b: 'ç"' })
      },
    ),
  )
})

test('an answer without a file is told as it is; one that breaks off is no file', async () => {
  for (const text of ['{"base64":""}', '<html>Olá</html>', '{"error":"x"}']) {
    const found = await fileInAnswer(told(text, [3]), 'base64')
    expect('answer' in found && found.answer.bytes.toString()).toBe(text)
  }
  const refused = await fileInAnswer({ ...told('{"base64":"AAAA"}', []), status: 400 }, 'base64')
  expect('answer' in refused && refused.answer.json()).toEqual({ base64: 'AAAA' })
  const cut = await fileInAnswer(told('{"base64":"AAAA', []), 'base64')
  await expect('file' in cut && wholeOf({ stream: cut.file })).rejects.toThrow('broke off')
})
