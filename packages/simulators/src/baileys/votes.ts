import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

type Seal = { pollId: string; creator: string; voter: string; secret: Buffer }

/** A vote as WhatsApp seals it: digests of what was chosen, under a key that follows from the poll and both people. */
export const sealVote = ({ pollId, creator, voter, secret }: Seal, titles: string[]) => {
  const hmac = (key: Buffer, ...parts: Uint8Array[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest()
  const sign = [pollId, creator, voter, 'Poll Vote'].map((text) => Buffer.from(text))
  const key = hmac(hmac(Buffer.alloc(32), secret), ...sign, Buffer.from([1]))
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, encIv).setAAD(Buffer.from(`${pollId}\u0000${voter}`))
  // The one field of `PollVoteMessage`: bytes, each with their length.
  const vote = Buffer.concat(
    titles.map((title) => Buffer.concat([Buffer.from([0x0a, 32]), createHash('sha256').update(title).digest()])),
  )
  return { encPayload: Buffer.concat([cipher.update(vote), cipher.final(), cipher.getAuthTag()]), encIv }
}
