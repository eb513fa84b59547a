import { constants, createPublicKey, publicEncrypt } from 'node:crypto'

/** A password as the web sends it, sealed for the installation whose `GET /publicEncryptionKey` answered `key`. */
export const sealFor = (key: string, text: string) => {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  return publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(text),
  ).toString('base64')
}
