import { atMost, rounded } from '../report.ts'

/** A mailbox that is full already, and a mail of ten megabytes. */
export const measureMail = async () => {
  await openFullMailbox()
  await showLongMail()
}

const old = Buffer.from('From: velho@example.com\r\nSubject: antigo\r\n\r\nantigo\r\n')
const openFullMailbox = async () => {
  // Only now: what reads the settings of this process would else read them before they are set (run.ts).
  const { startMail } = await import('../../apps/server/src/channels/email/harness.ts')
  const { simulator, open, told } = await startMail()
  const { box } = simulator.mailbox
  for (; box.messages.length < 50_000; box.next += 1)
    box.messages.push({ uid: box.next, raw: old, at: new Date(0), flags: new Set() })
  const start = performance.now()
  const { session } = await open()
  while (!told.includes('CONNECTED')) await new Promise((resolve) => setTimeout(resolve, 1))
  const openedMs = performance.now() - start
  await session.close()
  await simulator.close()
  const read = simulator.requests.filter(({ path }) => path.includes('BODY')).length
  atMost(0, {
    name: 'messages read to open a mailbox of 50,000',
    value: read,
    unit: 'messages',
    compared: { openedMs: rounded(openedMs) },
  })
}

const row =
  '<table><tr><td style="color:#333" onclick="x()"><a href="https://x.example/">Produto</a> R$ 10,00</td></tr></table>\n'
const showLongMail = async () => {
  const { showMail } = await import('../../apps/server/src/features/conversations/mail-html/show-mail.ts')
  const mail = { html: row.repeat(10_000_000 / row.length), pictures: {}, isWithRemote: false, isWhole: false }
  const times = []
  for (let n = 0; n < 5; n += 1) {
    const start = performance.now()
    await showMail(1, mail)
    times.push(performance.now() - start)
  }
  const start = performance.now()
  await showMail(1, { ...mail, isWhole: true })
  atMost(1_000, {
    name: 'mail of 10 MB cleaned for its first sight, the dearest of five',
    value: Math.max(...times),
    unit: 'ms',
    compared: { first: rounded(times[0] ?? Number.NaN), wholeMs: rounded(performance.now() - start) },
  })
}
