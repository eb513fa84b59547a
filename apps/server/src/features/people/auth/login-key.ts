import { constants, createPublicKey, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { join } from 'node:path'
import { env } from '../../../env.ts'
import { AppError } from '../../../kit/errors.ts'
import { keptSecret } from '../../../kit/kept-file.ts'

/**
 * The installation's RSA-3072 pair for passwords in flight: given by LOGIN_KEY, which processes of several
 * machines share, else made on first start and kept in the data folder.
 */
let privateKey = env.LOGIN_KEY
const key = () => {
  privateKey ??= keptSecret(join(env.DATA_DIR, 'login-key.pem'), newPrivateKey)
  return privateKey
}
const newPrivateKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

/** Base64 of the public key (DER, SPKI): what `GET /publicEncryptionKey` answers. */
export const loginPublicKey = () => createPublicKey(key()).export({ type: 'spki', format: 'der' }).toString('base64')

/** The password inside base64 of RSA-OAEP-SHA-256; anything else is refused with 422. */
export const decryptPassword = (encrypted: string): string => {
  try {
    const options = { key: key(), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
    return privateDecrypt(options, Buffer.from(encrypted, 'base64')).toString('utf8')
  } catch {
    throw new AppError('ERR_PASSWORD_PLAIN')
  }
}
