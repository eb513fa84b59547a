import { gzipSync } from 'node:zlib'
import { fixture } from '@balcao/simulators/fixtures.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { AppError } from '../../kit/errors.ts'
import { textOfHtml } from '../../kit/text-of-html.ts'
import type { Outbound } from '../adapter.ts'
import { email } from './adapter.ts'
import { adviceFor } from './advice.ts'
import { startMail } from './harness.ts'
import { letterOf } from './letter.ts'
import { parse, split } from './parse.ts'
import { readMail } from './session.ts'

const place = { validity: '1', uid: 1, at: new Date(), size: 1_000 }
const own = 'contato@loja.com.br'
const told = async (raw: string | Buffer) => {
  const letter = letterOf(await readMail(Buffer.from(raw)), place, own, true)
  return { letter, events: letter ? split(letter).flatMap(({ payload }) => parse(payload)) : [] }
}
const recorded = async (name: string) => told((fixture('email', name) as { raw: string }).raw)
const bodyOf = async (name: string) => {
  const [event] = (await recorded(name)).events
  return event?.kind === 'message' ? event.content.body : undefined
}

describe('what a mail says', () => {
  test.each([
    ['latin1', 'Olá, informação'],
    ['windows-1252', '“Aspas” e € 10'],
    ['shift-jis', 'こんにちは'],
    ['unknown-charset', 'oi'],
    ['html-only', 'Bom dia & obrigada'],
    ['empty', 'Pedido 123'],
  ])('%s is read', async (name, text) => {
    expect(await bodyOf(name)).toBe(text)
  })

  const inCharset = (charset: string, bytes: Buffer, encoding = '8bit') =>
    Buffer.concat([
      Buffer.from(
        `From: ana@example.com\r\nSubject: x\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
      ),
      bytes,
    ])
  test.each([
    ['iso-8859-1', Buffer.from('São João', 'latin1'), 'São João'],
    ['gb18030', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), '你好'],
    ['koi8-r', Buffer.from([0xf0, 0xd2, 0xc9]), 'При'],
    ['big5', Buffer.from([0xa7, 0x41, 0xa6, 0x6e]), '你好'],
    ['euc-kr', Buffer.from([0xbe, 0xc8, 0xb3, 0xe7]), '안녕'],
    ['iso-2022-jp', Buffer.from('\x1b$B$3$s\x1b(B', 'latin1'), 'こん'],
    ['ibm850', Buffer.from('oi'), 'oi'],
    ['us-ascii', Buffer.from('São João', 'latin1'), 'São João'],
    ['utf-8', Buffer.from('São João', 'latin1'), 'S\ufffdo Jo\ufffdo'],
    ['iso-8859-1', Buffer.from('São João “10 €”'), 'São João “10 €”'],
    ['us-ascii', Buffer.from('São João'), 'São João'],
    ['nunca-visto', Buffer.from('São João'), 'São João'],
    ['iso-8859-1', Buffer.from('à Ã ção Âmbar', 'latin1'), 'à Ã ção Âmbar'],
    ['utf-7', Buffer.from('+ADw-script+AD4-xss()'), '+ADw-script+AD4-xss()'],
    ['não existe', Buffer.from('oi'), 'oi'],
  ])('words in %s are read, and never as something else than words', async (charset, bytes, words) => {
    expect((await told(inCharset(charset, bytes))).letter).toMatchObject({ text: words, html: null })
  })

  test.each([
    ['"contato@banco.com.br" <golpe@mal.example>', ''],
    ['Suporte contato@banco.com.br <golpe@mal.example>', ''],
    ['"Golpe (golpe@mal.example)" <golpe@mal.example>', 'Golpe (golpe@mal.example)'],
    ['=?iso-8859-1?Q?Jo=C3=A3o?= <golpe@mal.example>', 'João'],
  ])('%s is no other address than its own', async (from, name) => {
    const { letter } = await told(`From: ${from}\r\nSubject: x\r\n\r\noi`)
    expect(letter?.from).toEqual({ address: 'golpe@mal.example', name })
  })

  test.each([
    ['From: joao@empresa\r\n'],
    ['From: Maria <maria arroba casa>\r\n'],
    ['From: <>\r\n'],
    ['From: x@sem-remetente.invalid\r\n'],
    [''],
  ])('whoever wrote with “%s” shares their conversation with nobody', async (from) => {
    const write = (id: string) => told(`Message-ID: <${id}@x.com>\r\n${from}Subject: x\r\n\r\noi`)
    const [one, again, other] = await Promise.all([write('a'), write('a'), write('b')])
    expect(one.letter?.from.address).toMatch(/^[0-9a-f]{24}@sem-remetente\.invalid$/)
    expect(again.letter?.from.address).toBe(one.letter?.from.address)
    expect(other.letter?.from.address).not.toBe(one.letter?.from.address)
    // Nothing answers by itself what can reach nobody.
    expect(one.letter).toMatchObject({ isAutomatic: true, isUnproven: true })
    const to = one.events[0]?.kind === 'message' ? one.events[0].from.identities : []
    await expect(email.send(outbound({ to }), context)).rejects.toMatchObject({ outcome: 'final', message: /válido/ })
  })

  test('an archive is never opened, and what is encoded comes to less than was sent', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const raw = Buffer.from(
      `From: ana@example.com\r\nContent-Type: application/zip; name=a.zip\r\nContent-Disposition: attachment\r\nContent-Encoding: gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${bomb.toString('base64')}\r\n`,
    )
    const [file] = (await told(raw)).letter?.files ?? []
    expect(file).toMatchObject({ mime: 'application/zip', size: bomb.length })
    const printed = await told(inCharset('utf-8', Buffer.from('=41=\r\n'.repeat(300_000)), 'quoted-printable'))
    expect(printed.letter?.text.length).toBeLessThanOrEqual(200_000)
  })

  test.each([
    ['DTSTART;TZID="E. South America Standard Time":20261125T100000', '2026-11-25T13:00:00.000Z'],
    ['DTSTART;TZID=America/Sao_Paulo:20261125T100000', '2026-11-25T13:00:00.000Z'],
    ['DTSTART:20261125T130000Z', '2026-11-25T13:00:00.000Z'],
    ['DTSTART;TZID=Marte/Olimpo:20261125T100000', '2026-11-25T10:00'],
    ['DTSTART;VALUE=DATE:20261125', '2026-11-25'],
    ['DTSTART:20269999T999999', undefined],
    ['X-DTSTART:20261125T100000', undefined],
  ])('an invitation with %s begins at %s', async (line, starts) => {
    const calendar = `BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\n${line}\r\nSUMMARY;LANGUAGE=pt:Visita\\, <b>loja</b>\r\nLOCATION:Rua\r\n  Augusta\r\nATTACH:https://mau.example.com/x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    const { events } = await told(
      `From: ana@example.com\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n${calendar}--B--\r\n`,
    )
    const [first] = events
    const shown = first?.kind === 'message' ? first.content.mail?.invitation : undefined
    expect(shown).toEqual(
      starts && { title: 'Visita, <b>loja</b>', place: 'Rua Augusta', starts, ends: null, isCancelled: false },
    )
  })

  test.each([
    ['mx.example.com; dmarc=fail (p=REJECT) header.from=loja.com.br; spf=pass', true],
    ['mx.example.com; spf=fail smtp.mailfrom=x; dkim=none; dmarc=none', true],
    ['mx.example.com; spf=fail; dkim=pass header.d=example.com', undefined],
    ['mx.example.com; dmarc=pass (dmarc=fail) header.from=example.com', undefined],
    ['mx.example.com; none', undefined],
  ])('a sender is not confirmed where the server that received it says so: %s', async (found, isUnproven) => {
    const own = 'Authentication-Results: falso.example; dmarc=pass'
    const raw = `Authentication-Results: ${found}\r\n${own}\r\nFrom: ana@example.com\r\nSubject: x\r\n\r\noi\r\n`
    const { letter, events } = await told(raw)
    expect(letter?.isUnproven).toBe(isUnproven)
    expect(events).toMatchObject([{ content: { isUnproven } }])
  })

  test('an absence and a newsletter are of a machine, what a person writes is not', async () => {
    const isAutomatic = async (name: string) => (await recorded(name)).letter?.isAutomatic
    expect(await Promise.all(['out-of-office', 'newsletter', 'delayed', 'text'].map(isAutomatic))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  test('a report of what was not delivered fails that very message; of a copy it says so', async () => {
    const [bounce] = (await recorded('bounce')).events
    expect(bounce).toMatchObject({ kind: 'status', providerId: '<0198@loja.com.br>', isUnreachable: true })
    const [copy] = (await recorded('bounce-copy')).events
    expect(copy).toMatchObject({ isUnreachable: false, error: expect.stringContaining('A cópia para fin@example.com') })
  })

  test('ours that comes back is nothing; a form of the site is of whoever filled it in', async () => {
    expect((await recorded('own')).letter).toBeUndefined()
    expect((await recorded('site-form')).letter?.from).toEqual({ address: 'bia@example.com', name: 'Bia' })
  })

  test('ten thousand recipients, a thousand parts and a hostile page are read within a second each', async () => {
    const parts = Array.from(
      { length: 1_000 },
      () => '--B\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n',
    )
    const many = `From: ana@example.com\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n${parts.join('')}--B--\r\n`
    const start = performance.now()
    const { letter } = await recorded('ten-thousand-recipients')
    expect(letter?.cc.length).toBeLessThanOrEqual(100)
    expect((await told(many)).letter).toMatchObject({
      files: { length: 20 },
      text: expect.stringContaining('1000 anexos'),
    })
    for (const hostile of ['<style', '<!--', '<', '<p>', '</p><script>', '&#'])
      expect(textOfHtml(hostile.repeat(1_000_000)).length).toBeLessThan(10_000_000)
    expect(performance.now() - start).toBeLessThan(6_000)
  })

  test('a mail without an id has the same one each time it is read', async () => {
    const [one, two] = [(await recorded('no-id')).letter?.id, (await recorded('no-id')).letter?.id]
    expect(one).toMatch(/^<[\da-f]{40}@sem-id>$/)
    expect(two).toBe(one)
  })
})

const stage = await startMail()
const { simulator, context, kept, journal, open, idle } = stage
afterAll(() => simulator.close())
beforeEach(() => {
  journal.clear()
  simulator.faults.clear()
})
const texts = () =>
  [...journal.values()]
    .flatMap(({ payload }) => parse(payload))
    .flatMap((one) => (one.kind === 'message' ? one.content.body : []))
const ana = simulator.customer({ address: 'ana@example.com', name: 'Ana' })

describe('a mailbox', () => {
  test('of fifty thousand messages is opened without reading one, and brings what comes then', async () => {
    const old = Buffer.from('From: velho@example.com\r\nSubject: antigo\r\n\r\nantigo\r\n')
    for (let n = 0; n < 50_000; n += 1) {
      simulator.mailbox.box.messages.push({
        uid: simulator.mailbox.box.next,
        raw: old,
        at: new Date(0),
        flags: new Set(),
      })
      simulator.mailbox.box.next += 1
    }
    const { session } = await open()
    await vi.waitFor(() => expect(stage.told).toEqual(['CONNECTED']))
    await ana.sendText('nova')
    await vi.waitFor(() => expect(texts()).toEqual(['nova']), 5_000)
    const asked = simulator.requests.filter(({ method }) => method === 'IMAP').map(({ path }) => path)
    expect(asked.filter((path) => path.includes('BODY'))).toHaveLength(1)
    await session.close()
  })

  test('brings by the next session what came in between, once, and again nothing', async () => {
    await ana.sendText('enquanto isso')
    const first = await open()
    await vi.waitFor(() => expect(texts()).toEqual(['enquanto isso']), 5_000)
    await first.session.close()
    const second = await open()
    await ana.sendText('e depois')
    await vi.waitFor(() => expect(texts()).toEqual(['enquanto isso', 'e depois']), 5_000)
    await second.session.close()
  })

  test('that gave its messages new numbers loses nothing and repeats nothing', async () => {
    await ana.sendText('antes da troca')
    const before = await open()
    await idle()
    await before.session.close()
    await ana.sendText('durante a troca')
    simulator.mailbox.renumber(7)
    const { session } = await open()
    const ofNow = () => texts().filter((text) => /troca$/.test(text))
    await vi.waitFor(() => expect(ofNow()).toEqual(['antes da troca', 'durante a troca']), 5_000)
    expect(JSON.parse(kept.get('read') ?? '{}').validity).toBe(String(simulator.mailbox.box.validity))
    await session.close()
  })

  test('whose line breaks says so, and one that was lost asks nothing more', async () => {
    const one = await open()
    simulator.hangUp()
    await expect(one.session.ended).rejects.toMatchObject({ outcome: 'retry', isConnectionBroken: false })
    const two = await open()
    two.lose()
    await two.session.ended
    await vi.waitFor(() => expect(simulator.connections()).toBe(0))
  })

  test('that is too large is not brought: its head is, with a word about it', async () => {
    const { session } = await open()
    simulator.mailbox.deliver(
      Buffer.concat([
        Buffer.from('Message-ID: <grande@x.com>\r\nFrom: ana@example.com\r\nSubject: enorme\r\n\r\n'),
        Buffer.alloc(36 * 1024 * 1024, 'a'),
      ]),
    )
    await vi.waitFor(() => expect(texts()).toEqual([expect.stringContaining('36 MB e não foi trazido')]), 10_000)
    await session.close()
  })

  test('with a wrong password is broken, and nobody there is asked again later', async () => {
    simulator.account.password = 'outra'
    await expect(open()).rejects.toMatchObject({ outcome: 'final', isConnectionBroken: true })
    simulator.account.password = context.config.password ?? ''
    const closed = { ...context, config: { ...context.config, imapPort: 1 } }
    await expect(email.connect(closed)).rejects.toMatchObject({ outcome: 'retry' })
    const inside = { ...context, config: { ...context.config, imapHost: '169.254.169.254' } }
    await expect(email.connect(inside)).rejects.toMatchObject({ outcome: 'final', isConnectionBroken: true })
  })

  test('that must speak TLS says nothing to a server that does not', async () => {
    const { config } = context
    const before = simulator.requests.length
    for (const security of ['tls', 'starttls'] as const) {
      const strict = { ...context, config: { ...config, imapSecurity: security, smtpSecurity: security } }
      await expect(email.connect(strict)).rejects.toMatchObject({ outcome: 'retry' })
      await expect(email.send(outbound({ body: 'oi' }), strict)).rejects.toMatchObject({ outcome: 'retry' })
    }
    expect(simulator.requests.length).toBe(before)
  }, 30_000)
})

describe('an account whose owner has consented', () => {
  const { imapHost, imapPort, smtpPort } = context.config
  const asked = vi.fn(async () => 'token-1')
  const entered: typeof context = {
    ...context,
    config: { ...context.config, login: 'account', password: undefined, imapHost: 'mau.example.com' },
    account: {
      imap: { host: String(imapHost), port: imapPort, security: 'none' },
      smtp: { host: '127.0.0.1', port: smtpPort, security: 'none' },
      accessToken: asked,
    },
  }
  test('is read and sent by with its token, which goes to its own servers alone', async () => {
    simulator.account.tokens.add('token-1')
    expect(await email.connect(entered)).toMatchObject({ account: { handle: own } })
    await email.send(outbound({ body: 'com token' }), entered)
    expect(simulator.outbox.at(-1)?.mail.text).toContain('com token')
    expect(asked).toHaveBeenCalledTimes(3)
  })

  test('of which the consent is gone says what to do; a provider that is away is asked again', async () => {
    const broken = { outcome: 'final', isConnectionBroken: true }
    simulator.account.tokens.clear()
    const refused = { ...broken, forAdmin: { text: expect.stringContaining('autorize outra vez') } }
    await expect(email.connect(entered)).rejects.toMatchObject(refused)
    await expect(email.send(outbound({ body: 'x' }), entered)).rejects.toMatchObject(refused)
    asked.mockRejectedValueOnce(new AppError('ERR_AUTHORIZATION_LOST'))
    await expect(email.send(outbound({ body: 'x' }), entered)).rejects.toMatchObject({
      ...broken,
      forAdmin: { text: expect.stringContaining('toque em Autorizar') },
    })
    asked.mockRejectedValueOnce(new AppError('ERR_OAUTH_REFUSED'))
    await expect(email.connect(entered)).rejects.toMatchObject({ outcome: 'retry' })
  })
})

describe('beside the inbox', () => {
  const junkLetter = (id: string, text: string) =>
    `Message-ID: <${id}@x.com>\r\nFrom: bia@example.com\r\nSubject: oferta\r\n\r\n${text}\r\n`

  test('what comes into the spam folder is brought with a mark, what lay there is not', async () => {
    kept.delete('junk')
    simulator.junk.deliver(junkLetter('antigo', 'spam antigo'))
    const { session } = await open()
    await vi.waitFor(() => expect(kept.get('junk')).toBeDefined())
    simulator.junk.deliver(junkLetter('novo', 'caiu no spam'))
    await ana.sendText('toca o sino')
    await vi.waitFor(() => expect(texts()).toHaveLength(2), 5_000)
    const events = [...journal.values()].flatMap(({ payload }) => parse(payload))
    const marks = events.map((one) => one.kind === 'message' && [one.content.body, one.content.isJunk])
    expect(marks).toHaveLength(2)
    expect(marks).toEqual(
      expect.arrayContaining([
        ['toca o sino', undefined],
        ['caiu no spam', true],
      ]),
    ) // in no order
    await session.close()
  })

  test('a copy of what is sent lies in the folder for it, over the connection that fetches files', async () => {
    await ana.write({
      text: 'com anexos',
      files: [0, 1, 2].map((n) => ({ bytes: Buffer.from(`${n}`), mimeType: 'text/plain' })),
    })
    const before = simulator.logins()
    const uid = simulator.mailbox.box.next - 1
    const validity = String(simulator.mailbox.box.validity)
    for (const at of [0, 1, 2])
      expect((await email.fetchMedia?.({ validity, uid, at }, context))?.bytes?.toString()).toBe(`${at}`)
    await email.send(outbound({ body: 'com cópia' }), context)
    await vi.waitFor(() => expect(simulator.sentFolder.box.messages).toHaveLength(1))
    expect(simulator.sentFolder.box.messages[0]?.raw.toString()).toBe(simulator.outbox.at(-1)?.raw.toString())
    expect(simulator.logins() - before).toBeLessThanOrEqual(1)
    simulator.hangUp()
    expect((await email.fetchMedia?.({ validity, uid, at: 0 }, context))?.bytes?.toString()).toBe('0')
  })

  test('the card counts the spam and says which records the domain lacks', async () => {
    const health = await email.check?.(context)
    expect(health).toMatchObject({
      problem: null,
      inJunk: 2,
      advice: expect.arrayContaining([expect.stringContaining('ip4:127.0.0.1')]),
    })
  })

  test.each([
    [{}, ['SPF', 'DKIM', 'DMARC']],
    [{ 'loja.com.br': ['v=spf1 include:outro.com ~all'] }, ['SPF: o registro não conta', 'DKIM', 'DMARC']],
    [
      { 'loja.com.br': ['v=spf1 -all', 'v=spf1 ~all'], '_dmarc.loja.com.br': ['v=DMARC1; p=none'] },
      ['há 2 registros', 'DKIM'],
    ],
    [
      {
        'loja.com.br': ['outro=1', 'v=spf1 include:_spf.google.com ~all'],
        'google._domainkey.loja.com.br': ['v=DKIM1; k=rsa; p=MIIB'],
        '_dmarc.loja.com.br': ['v=DMARC1; p=reject'],
      },
      [],
    ],
  ])('a domain with %j is told %j', async (records: Record<string, string[]>, told) => {
    const sending = { domain: 'loja.com.br', smtpHost: 'smtp.gmail.com' }
    const advice = await adviceFor(sending, async (name) => records[name] ?? [])
    expect(advice).toEqual(told.map((words) => expect.stringContaining(words)))
    expect(await adviceFor({ ...sending, domain: 'gmail.com' }, async () => [])).toEqual([])
  })
})

const outbound = (more: Partial<Outbound>): Outbound => ({
  id: v7(),
  to: [{ kind: 'email', value: 'ana@example.com' }],
  type: 'text',
  body: '',
  media: null,
  location: null,
  contacts: [],
  quotedProviderId: null,
  ...more,
})

describe('what is sent', () => {
  test('has our own id and sender, and goes to who gets a copy too', async () => {
    const message = outbound({
      body: 'Saiu.',
      mail: { subject: 'Re: Pedido', cc: ['fin@example.com'], bcc: [], html: null, references: ['<a@x>'] },
    })
    const { providerId } = await email.send(message, context)
    expect(providerId).toBe(`<${message.id}@loja.com.br>`)
    expect(simulator.outbox.at(-1)).toMatchObject({
      to: ['ana@example.com', 'fin@example.com'],
      mail: {
        from: { address: own, name: 'Loja Aurora' },
        subject: 'Re: Pedido',
        inReplyTo: '<a@x>',
        messageId: providerId,
      },
    })
  })

  test('is signed below its text, once as plain text and once formatted', async () => {
    await email.send(outbound({ body: 'Saiu.', signature: '*Ana*\nloja.com.br <3' }), context)
    const { mail } = simulator.outbox.at(-1) ?? {}
    expect(mail?.text?.replaceAll('\r\n', '\n').trim()).toBe('Saiu.\n\n-- \n*Ana*\nloja.com.br <3')
    expect(mail?.html).toContain('<div>Saiu.</div><br><div class="signature"><div><strong>Ana</strong><br>')
    expect(mail?.html).toContain('&lt;3')
  })

  test('says the words beside a file in its formatted half too', async () => {
    const mail = { subject: 'Contrato', cc: [], bcc: [], html: '<p>Segue <b>tudo</b>.</p>', references: [] }
    const media = { id: v7(), name: 'a.pdf', mime: 'application/pdf', size: 3, bytes: async () => Buffer.from('pdf') }
    const file = outbound({ type: 'document', body: 'A minuta', media })
    await email.sendAttached?.([outbound({ body: 'Segue tudo.', mail }), file], context)
    const sent = simulator.outbox.at(-1)?.mail
    expect(sent?.text?.replaceAll('\r\n', '\n').trim()).toBe('Segue tudo.\n\nA minuta')
    expect(sent?.html).toContain('<p>Segue <b>tudo</b>.</p><br><br><div>A minuta</div>')
  })

  test('by nobody says so to the machine at the other end', async () => {
    await email.send(outbound({ body: 'Estamos fechados.', isAutomatic: true }), context)
    const headers = simulator.outbox.at(-1)?.mail.headers ?? []
    expect(headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-replied' }))
  })

  test('cannot smuggle a header in its subject, or a recipient in a name', async () => {
    const mail = { subject: 'oi\r\nBcc: x@example.com', cc: [], bcc: [], html: null, references: ['<a@x>\r\nX-Mau: 1'] }
    await email.send(outbound({ body: 'oi', mail }), context)
    const sent = simulator.outbox.at(-1)
    expect(sent?.to).toEqual(['ana@example.com'])
    expect(sent?.mail.headers.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['bcc']))
    expect(sent?.mail.headers.map(({ key }) => key)).not.toContain('x-mau')
  })

  test('and refused after it was handed over is known not to have gone', async () => {
    simulator.faults.next({ status: 554, body: '5.7.1 Spam', match: 'DATA' })
    await expect(email.send(outbound({ body: 'oi' }), context)).rejects.toMatchObject({
      outcome: 'final',
      isUnreachable: false,
    })
  })
})
