import { randomInt } from 'node:crypto'
import type { HandsetCustomer, Line, Media, MediaKind } from '../handset.ts'

export type SmsProfile = { phone?: string; name?: string }
type Tell = (from: SmsCustomer, line: Line) => Promise<string>
const onlyText = () => Promise.reject(new Error('O SMS só leva texto.'))

/** A person with a mobile phone. */
export class SmsCustomer implements HandsetCustomer {
  readonly phone: string
  readonly name: string
  readonly transcript: Line[] = []
  readonly isBusinessTyping = false
  readonly hasOnlyText: boolean
  readonly quotesNothing = true
  autoRead = false
  /** Somebody who takes no SMS any more: switched off for good, or by a word of theirs. */
  isReachable = true
  hasOptedOut = false
  readonly #tell: Tell

  constructor(tell: Tell, profile: SmsProfile, hasFiles = false) {
    this.hasOnlyText = !hasFiles
    this.#tell = tell
    this.phone = profile.phone ?? `55119${randomInt(60_000_000, 99_999_999)}`
    this.name = profile.name ?? `Celular ${this.phone.slice(-4)}`
  }

  get id(): string {
    return this.phone
  }
  get handle(): string {
    return `+${this.phone}`
  }
  get inbox(): Line[] {
    return this.transcript.filter((line) => line.from === 'business')
  }
  receive(line: Line) {
    this.transcript.push(line)
    if (this.transcript.length > 4_000) this.transcript.splice(0, 2_000)
  }

  sendText(text: string): Promise<string> {
    const line: Line = {
      id: '',
      from: 'customer',
      at: 0,
      type: 'text',
      text,
      reactions: {},
      state: 'sent',
      payload: {},
    }
    return this.#tell(this, line)
  }
  /** Nobody is told. */
  async read() {
    for (const line of this.inbox) line.isRead = true
  }
  sendMedia(kind: MediaKind, media: Media, caption?: string): Promise<string> {
    if (this.hasOnlyText) return onlyText()
    const about = { id: '', from: 'customer' as const, at: 0, reactions: {}, state: 'sent' as const, payload: {} }
    return this.#tell(this, { ...about, type: kind, media, text: caption })
  }
  sendPlace = onlyText
  sendCard = onlyText
  sendPoll = onlyText
  react = onlyText
  press = onlyText
  vote = onlyText
}
